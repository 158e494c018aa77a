// One pass over the nuclei, one look at the slide.
#include "pages/study/slide_look.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "io/exports/picture.hpp"
#include "io/exports/slide_of_results.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::pages {
namespace {

constexpr int kOverviewSide = 360, kQuality = 80;
constexpr double kMostCells = 48;  // along the longer side
constexpr double kLeastCell = 64;  // working pixels: in a smaller one a single nucleus is a crowd

DensityMap grid_over(const Rect& region) {
  DensityMap map;
  map.cell = std::max(kLeastCell, static_cast<double>(std::max(region.width, region.height)) / kMostCells);
  const auto cells = [&](std::int64_t pixels) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(pixels) / map.cell)));
  };
  map.columns = cells(region.width);
  map.rows = cells(region.height);
  map.nuclei.resize(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows));
  return map;
}

void count(double x, double y, DensityMap& map) {
  const int column = std::clamp(static_cast<int>(x / map.cell), 0, map.columns - 1);
  const int row = std::clamp(static_cast<int>(y / map.cell), 0, map.rows - 1);
  ++map.nuclei[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
               static_cast<std::size_t>(column)];
}

void count(double value, const ShownFeature& feature, FeatureHistogram& histogram) {
  if (!std::isfinite(value)) return;
  const double share = (value - feature.low) / (feature.high - feature.low);
  if (!(share >= 0 && share <= 1)) {
    ++histogram.outside;
    return;
  }
  const int bin = std::min(static_cast<int>(share * kHistogramBins), kHistogramBins - 1);
  ++histogram.counts[static_cast<std::size_t>(bin)];
}

io::Overview overview_of(const io::RunInfo& info, const Rect& region) {
  const std::unique_ptr<io::Slide> slide = io::open_slide_of(info);
  if (slide->info().width() != info.slide_width || slide->info().height() != info.slide_height)
    throw Error(ErrorKind::input, info.slide_path + ": is another slide now");
  const io::WorkingSlide grid(*slide, info.scale, 1.0);  // in units of level-0 pixels
  return io::read_overview(*slide, grid, region, kOverviewSide);
}

}  // namespace

SlideLook look_at_slide(const std::filesystem::path& results, const std::vector<ShownFeature>& features) {
  const io::ResultStore store = io::ResultStore::open(results);
  const io::RunInfo info = store.info();
  SlideLook look;
  look.region = {info.roi_x, info.roi_y, info.roi_width, info.roi_height};
  look.mpp = info.mpp;
  look.density = grid_over(look.region);
  look.histograms.assign(features.size(), {std::vector<std::int64_t>(kHistogramBins), 0});
  std::vector<std::string> names;
  for (const ShownFeature& feature : features) names.push_back(feature.name);
  io::NucleusStore(store).for_each_nucleus_with(names, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    count(nucleus.centroid_x - static_cast<double>(look.region.x),
          nucleus.centroid_y - static_cast<double>(look.region.y), look.density);
    for (std::size_t i = 0; i < features.size(); ++i)
      count(nucleus.features[i] * features[i].factor(info.mpp), features[i], look.histograms[i]);
  });
  try {
    look.overview = overview_of(info, look.region);
  } catch (const Error& error) {
    look.problem = error.what();
  }
  return look;
}

std::string picture_of(const io::Overview& overview) {
  return io::data_uri("image/jpeg", io::jpeg_bytes(overview.view(), kQuality));
}

}  // namespace starpath::pages
