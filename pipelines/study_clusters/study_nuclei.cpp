// From results to points.
#include "pipelines/study_clusters/study_nuclei.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "io/exports/measurements.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/study/done_slides.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::int64_t nuclei_of(const std::vector<ClusteredSlide>& slides) {
  std::int64_t sum = 0;
  for (const ClusteredSlide& slide : slides) sum += slide.nuclei;
  return sum;
}

/// Visits every nucleus with these features, in the order of slides and ids. `visit` also gets the slide's place.
template <class Visit>
void visit_all(const std::vector<ClusteredSlide>& slides, const std::vector<std::string>& names,
               const OnShare& on_share, const Visit& visit) {
  constexpr std::int64_t step = 4096;
  const std::int64_t total = nuclei_of(slides);
  std::int64_t before = 0;
  for (std::size_t place = 0; place < slides.size(); ++place) {
    const ClusteredSlide& slide = slides[place];
    const io::NucleusStore nuclei(io::ResultStore::open(slide.results));
    if (nuclei.nucleus_count() != slide.nuclei)
      throw Error(ErrorKind::input, slide.results.string() + ": changed while it was read; cluster again");
    nuclei.for_each_nucleus_with(names, [&](std::int64_t id, const io::NucleusRecord& nucleus) {
      visit(place, nucleus.features);
      if (on_share && id % step == 0) on_share(static_cast<double>(before + id) / static_cast<double>(total));
    });
    before += slide.nuclei;
  }
}

/// The numbers of a FeatureSpread as bits that can be sent.
struct SpreadOfSlide {
  std::int64_t nuclei;
  double mean, squares;
};

}  // namespace

std::vector<ClusteredSlide> clustered_slides(const fs::path& study, const std::vector<io::StudyRow>& rows,
                                             std::vector<std::string>& left_out) {
  std::vector<ClusteredSlide> slides;
  std::int64_t first = 0;
  for (const io::DoneSlide& slide : io::done_slides(study, rows, left_out)) {
    slides.push_back(
        {slide.number, slide.results, io::NucleusStore(io::ResultStore::open(slide.results)).nucleus_count(), first});
    first += slides.back().nuclei;
  }
  return slides;
}

void FeatureSpread::add(double value) {
  if (!std::isfinite(value)) return;
  const double before = value - mean;
  mean += before / static_cast<double>(++count);
  squares += before * (value - mean);
}

void FeatureSpread::merge(const FeatureSpread& other) {
  if (other.count == 0) return;
  const auto ours = static_cast<double>(count), theirs = static_cast<double>(other.count);
  const double difference = other.mean - mean;
  count += other.count;
  mean += difference * (theirs / (ours + theirs));
  squares += other.squares + difference * difference * (ours * theirs / (ours + theirs));
}

double FeatureSpread::deviation() const {
  const double variance = count > 0 ? squares / static_cast<double>(count) : 0;
  // Equal values may differ by rounding: that is no spread.
  return variance > mean * mean * 1e-24 ? std::sqrt(variance) : 0;
}

std::vector<std::string> feature_names(const std::vector<ClusteredSlide>& slides,
                                       const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const ClusteredSlide& slide : slides) {
    const io::RunInfo info = io::ResultStore::open(slide.results).info();
    const auto found = io::measurements_of(info, wanted).features;
    if (names.empty()) names = found;
    if (found != names)
      throw Error(ErrorKind::mismatch, slide.results.string() + ": has other features than the slides before it");
  }
  if (names.empty())
    throw Error(ErrorKind::mismatch, fmt::format("the slides have none of the features {}; choose --features of the "
                                                 "families that they were segmented with (docs/features.md)",
                                                 fmt::join(wanted, ", ")));
  return names;
}

std::vector<ClusteredSlide> slides_at(const std::vector<ClusteredSlide>& slides,
                                      const std::vector<std::size_t>& places) {
  std::vector<ClusteredSlide> some;
  for (const std::size_t place : places) some.push_back(slides[place]);
  return some;
}

std::vector<FeatureSpread> measure_spread(const std::vector<ClusteredSlide>& slides,
                                          const std::vector<std::size_t>& mine, const std::vector<std::string>& names,
                                          Team& team, const OnShare& on_share) {
  const std::size_t features = names.size();
  std::vector<SpreadOfSlide> all(slides.size() * features, SpreadOfSlide{});
  team.together([&] {
    std::vector<FeatureSpread> here(mine.size() * features);
    visit_all(slides_at(slides, mine), names, on_share, [&](std::size_t place, const std::vector<double>& values) {
      for (std::size_t i = 0; i < features; ++i) here[place * features + i].add(values[i]);
    });
    for (std::size_t place = 0; place < mine.size(); ++place)
      for (std::size_t i = 0; i < features; ++i) {
        const FeatureSpread& spread = here[place * features + i];
        all[mine[place] * features + i] = {spread.count, spread.mean, spread.squares};
      }
  });
  unite(team, all);
  std::vector<FeatureSpread> spreads;
  for (std::size_t i = 0; i < features; ++i) {
    spreads.push_back({names[i]});
    for (std::size_t slide = 0; slide < slides.size(); ++slide) {
      const SpreadOfSlide& part = all[slide * features + i];
      spreads[i].merge({{}, part.nuclei, part.mean, part.squares});
    }
  }
  return spreads;
}

PointFile::PointFile(const fs::path& folder, std::vector<ClusteredSlide> slides,
                     const std::vector<FeatureSpread>& features, const OnShare& on_share)
    : slides_(std::move(slides)), numbers_(padded_point(static_cast<int>(features.size()))), file_(folder / "points") {
  std::vector<std::string> names;
  for (const FeatureSpread& feature : features) names.push_back(feature.name);
  std::vector<std::int16_t> row(static_cast<std::size_t>(numbers_)), block;
  const auto flush = [&] {
    file_.write({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(std::int16_t)});
    block.clear();
  };
  visit_all(slides_, names, on_share, [&](std::size_t, const std::vector<double>& values) {
    for (std::size_t i = 0; i < features.size(); ++i)
      row[i] = point_number(values[i], features[i].mean, features[i].deviation());
    block.insert(block.end(), row.begin(), row.end());
    ++count_;
    if (block.size() >= std::size_t{1} << 19) flush();
  });
  flush();
}

void PointFile::read(std::int64_t first, std::span<std::int16_t> values) {
  const std::size_t bytes = values.size_bytes();
  const bool good = file_.try_seek(first * numbers_ * static_cast<std::int64_t>(sizeof(std::int16_t)), SEEK_SET) >= 0 &&
                    file_.try_read(values.data(), bytes) == static_cast<std::int64_t>(bytes);
  file_.check();
  if (!good) throw Error(ErrorKind::output, "points of the study cannot be read again; check the disk");
}

/// visit(place in `runs`, first point of this file, points) for each part of a run that is here.
template <class Visit>
void PointFile::for_each_here(std::span<const PointRun> runs, const Visit& visit) const {
  std::int64_t before = 0;  // points here of the slides before `slide`
  auto slide = slides_.begin();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t begin = runs[i].first, end = begin + runs[i].count;
    for (; slide != slides_.end() && slide->first + slide->nuclei <= begin; ++slide) before += slide->nuclei;
    std::int64_t here = before;
    for (auto part = slide; part != slides_.end() && part->first < end; here += part->nuclei, ++part) {
      const std::int64_t from = std::max(begin, part->first), to = std::min(end, part->first + part->nuclei);
      if (from < to) visit(i, here + from - part->first, to - from);
    }
  }
}

Points PointFile::sample(std::int64_t most, std::int64_t all) {
  std::vector<PointRun> wanted(static_cast<std::size_t>(std::min(most, all)));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = {static_cast<std::int64_t>(i) * all / std::ssize(wanted), 1};
  const auto numbers = static_cast<std::size_t>(numbers_);
  Points points{numbers_, std::vector<std::int16_t>(wanted.size() * numbers)};
  for_each_here(wanted, [&](std::size_t place, std::int64_t first, std::int64_t) {
    read(first, std::span(points.values).subspan(place * numbers, numbers));
  });
  return points;
}

Points PointFile::points_of(std::span<const PointRun> runs) {
  Points points{numbers_, {}};
  for_each_here(runs, [&](std::size_t, std::int64_t first, std::int64_t count) {
    const std::size_t values = static_cast<std::size_t>(count) * static_cast<std::size_t>(numbers_);
    points.values.resize(points.values.size() + values);
    read(first, std::span(points.values).last(values));
  });
  return points;
}

}  // namespace starpath
