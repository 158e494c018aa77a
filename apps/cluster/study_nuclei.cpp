// From results to points.
#include "apps/cluster/study_nuclei.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.hpp"
#include "io/exports/measurements.hpp"
#include "io/results/result_store.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

std::int64_t nuclei_of_all(const std::vector<ClusteredSlide>& slides) {
  return slides.empty() ? 0 : slides.back().first + slides.back().nuclei;
}

/// Every nucleus with these features, in the order of slides and ids.
template <class Visit>
void visit_all(const std::vector<ClusteredSlide>& slides, const std::vector<std::string>& names,
               const OnShare& on_share, const Visit& visit) {
  constexpr std::int64_t kStep = 4096;
  const std::int64_t total = nuclei_of_all(slides);
  for (const ClusteredSlide& slide : slides) {
    const io::ResultStore store = io::ResultStore::open(slide.results);
    if (store.nucleus_count() != slide.nuclei)
      throw Error(ErrorKind::input, slide.results.string() + ": changed while it was read; cluster again");
    store.for_each_nucleus_with(names, [&](std::int64_t id, const io::NucleusRecord& nucleus) {
      visit(nucleus.features);
      if (on_share && id % kStep == 0) on_share(static_cast<double>(slide.first + id) / static_cast<double>(total));
    });
  }
}

}  // namespace

std::vector<ClusteredSlide> clustered_slides(const fs::path& study, const std::vector<io::StudyRow>& rows,
                                             std::vector<std::string>& left_out) {
  std::vector<ClusteredSlide> slides;
  std::int64_t first = 0;
  for (const io::StudyRow& row : rows) {
    if (row.summary.state != io::SlideState::done) {
      left_out.push_back(fmt::format("{} is {}, and left out", row.slide.folder, io::name_of(row.summary.state)));
      continue;
    }
    const fs::path results = study / row.slide.folder / "results.sqlite";
    if (!fs::exists(results))
      throw Error(ErrorKind::input,
                  fmt::format("{}: is not there, and the study counts it as done; bring it back, or run segment with "
                              "--resume",
                              results.string()));
    slides.push_back({row.number, results, io::ResultStore::open(results).nucleus_count(), first});
    first += slides.back().nuclei;
  }
  return slides;
}

void FeatureSpread::add(double value) {
  if (!std::isfinite(value)) return;
  const double before = value - mean;
  mean += before / static_cast<double>(++nuclei);
  squares += before * (value - mean);
}

double FeatureSpread::deviation() const {
  const double variance = nuclei > 0 ? squares / static_cast<double>(nuclei) : 0;
  // What rounding makes of equal numbers is no difference.
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
  return names;
}

std::vector<FeatureSpread> measure_spread(const std::vector<ClusteredSlide>& slides,
                                          const std::vector<std::string>& names, const OnShare& on_share) {
  std::vector<FeatureSpread> spreads;
  for (const std::string& name : names) spreads.push_back({name});
  visit_all(slides, names, on_share, [&](const std::vector<double>& values) {
    for (std::size_t i = 0; i < spreads.size(); ++i) spreads[i].add(values[i]);
  });
  return spreads;
}

PointFile::PointFile(const fs::path& folder, const std::vector<ClusteredSlide>& slides,
                     const std::vector<FeatureSpread>& features, const OnShare& on_share)
    : numbers_(padded_point(static_cast<int>(features.size()))), file_(folder / "points") {
  std::vector<std::string> names;
  for (const FeatureSpread& feature : features) names.push_back(feature.name);
  std::vector<std::int16_t> row(static_cast<std::size_t>(numbers_)), block;
  const auto flush = [&] {
    file_.write({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(std::int16_t)});
    block.clear();
  };
  visit_all(slides, names, on_share, [&](const std::vector<double>& values) {
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

Points PointFile::sample(std::int64_t most) {
  Points points{numbers_, {}};
  const std::int64_t taken = std::min(most, count_);
  points.values.resize(static_cast<std::size_t>(taken * numbers_));
  for (std::int64_t i = 0; i < taken; ++i)
    read(i * count_ / taken,
         std::span(points.values).subspan(static_cast<std::size_t>(i * numbers_), static_cast<std::size_t>(numbers_)));
  return points;
}

}  // namespace starpath::apps
