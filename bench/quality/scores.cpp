// Means, medians and worst cases.
#include "bench/quality/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "base/pure/quartiles.hpp"
#include "bench/quality/bootstrap.hpp"

namespace starpath::quality {
namespace {

using Measures = std::array<double, 4>;
Measures measures_of(const SegmentationQuality& quality) { return {quality.dice, quality.aji, quality.f1, quality.pq}; }

/// One segmenter's results, with the image that each belongs to.
using Results = std::vector<std::pair<const std::string*, SegmentationQuality>>;

Results results_of(const Scores& scores, bool baseline) {
  Results results;
  for (const Score& score : scores.images) {
    if (!baseline) results.emplace_back(&score.name, score.ours);
    if (baseline && score.baseline) results.emplace_back(&score.name, *score.baseline);
  }
  return results;
}

std::string line(const std::string& data, const std::string& who, const std::string& what, const std::string& counts,
                 const Measures& measures) {
  return fmt::format("{:<40} {:<12} {:<7} {:<22} {:>6.3f} {:>6.3f} {:>6.3f} {:>6.3f}", data, who, what, counts,
                     measures[0], measures[1], measures[2], measures[3]);
}

using Columns = std::array<std::vector<double>, 4>;

/// The mean of each measure and the interval that it lies in, three lines.
std::string means_of(const std::string& setting, const std::string& who, const std::string& counts,
                     const Columns& columns) {
  Measures means{}, low{}, high{};
  for (std::size_t m = 0; m < columns.size(); ++m) {
    const std::vector<double>& column = columns[m];
    means[m] = std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
    const Interval interval = interval_of_mean(column);
    low[m] = interval.low;
    high[m] = interval.high;
  }
  return line(setting, who, "mean", counts, means) + "\n" + line("", "", "2.5 %", "", low) + "\n" +
         line("", "", "97.5 %", "", high) + "\n";
}

std::string lines_of(const std::string& setting, const std::string& who, const Results& results) {
  std::int64_t truth = 0, found = 0;
  Columns columns;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const SegmentationQuality& quality = results[i].second;
    truth += quality.truth_objects;
    found += quality.predicted_objects;
    const Measures measures = measures_of(quality);
    for (std::size_t m = 0; m < 4; ++m) columns[m].push_back(measures[m]);
    if (quality.pq < results[worst].second.pq) worst = i;
  }
  const std::string counts = fmt::format("{:>5} {:>8} {:>7}", results.size(), truth, found);
  std::string text = means_of(setting, who, counts, columns);
  Measures medians{}, least{};
  for (std::size_t m = 0; m < 4; ++m) {
    medians[m] = median(std::span(columns[m]));
    least[m] = *std::min_element(columns[m].begin(), columns[m].end());
  }
  return text + line("", "", "median", "", medians) + "\n" + line("", "", "worst", "", least) + "  " +
         *results[worst].first + "\n";
}

/// How much more ours has than the baseline, image by image, where both were judged.
std::string difference_of(const Scores& scores) {
  Columns columns;
  for (const Score& score : scores.images) {
    if (!score.baseline) continue;
    const Measures ours = measures_of(score.ours), theirs = measures_of(*score.baseline);
    for (std::size_t m = 0; m < 4; ++m) columns[m].push_back(ours[m] - theirs[m]);
  }
  return columns[0].empty() ? "" : means_of("", "difference", "", columns);
}

/// A cell that may hold commas.
std::string quoted(const std::string& text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::vector<std::size_t> worst_images(const Scores& scores, std::size_t most) {
  std::vector<std::size_t> order(scores.images.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores.images[a].ours.pq < scores.images[b].ours.pq; });
  order.resize(std::min(order.size(), most));
  return order;
}

std::string table_header() {
  return fmt::format("{:<40} {:<12} {:<7} {:>5} {:>8} {:>7} {:>6} {:>6} {:>6} {:>6}\n", "data", "segmenter", "",
                     "images", "truth", "found", "Dice", "AJI", "F1@.5", "PQ");
}

std::string table_of(const Scores& scores) {
  std::string text;
  if (const Results ours = results_of(scores, false); !ours.empty()) text = lines_of(scores.setting, "starpath", ours);
  if (const Results theirs = results_of(scores, true); !theirs.empty()) text += lines_of("", "scikit-image", theirs);
  return text + difference_of(scores);
}

std::string csv_header() { return "setting,image,segmenter,truth,found,matches,dice,aji,f1,pq\r\n"; }

std::string csv_of(const Scores& scores) {
  std::string text;
  const auto row = [&](const Score& score, const char* who, const SegmentationQuality& q) {
    text += fmt::format("{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f}\r\n", quoted(scores.setting), quoted(score.name),
                        who, q.truth_objects, q.predicted_objects, q.matches, q.dice, q.aji, q.f1, q.pq);
  };
  for (const Score& score : scores.images) {
    row(score, "starpath", score.ours);
    if (score.baseline) row(score, "scikit-image", *score.baseline);
  }
  return text;
}

}  // namespace starpath::quality
