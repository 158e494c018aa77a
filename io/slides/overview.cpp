// The coarsest level that is fine enough, or the means of patches.
#include "io/slides/overview.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace starpath::io {
namespace {

/// More level-0 pixels than this are not read for a picture.
constexpr double kMostRead = 64e6;
/// At most so many patches are read instead, each of so many level-0 pixels a side.
constexpr double kMostPatches = 1024;
constexpr int kPatch = 32;
constexpr double kLeastStep = 512;  // working pixels from patch to patch

constexpr int kBandHeight = 128;  // rows of the overview that are read at once

/// Level-0 pixels, or those of the finest level that is coarse enough, that a picture of this reduction takes.
double pixels_read(const Slide& slide, const WorkingSlide& grid, const Rect& region, double reduction) {
  double downsample = 1;
  for (const SlideLevel& level : slide.info().levels)
    if (level.downsample <= grid.scale() * reduction) downsample = std::max(downsample, level.downsample);
  const double ratio = grid.scale() / downsample;
  return static_cast<double>(region.width) * static_cast<double>(region.height) * ratio * ratio;
}

Rgb mean_of(RgbView patch) {
  std::array<std::int64_t, 3> sum{};
  for (int y = 0; y < patch.height; ++y)
    for (int x = 0; x < patch.width; ++x) {
      const Rgb p = patch.at(x, y);
      sum[0] += p.r, sum[1] += p.g, sum[2] += p.b;
    }
  const auto mean = [&](std::int64_t s) { return static_cast<std::uint8_t>(s / patch.pixels()); };
  return {mean(sum[0]), mean(sum[1]), mean(sum[2])};
}

Overview sample_overview(const Slide& slide, const WorkingSlide& grid, const Rect& region) {
  Overview overview;
  overview.region = region;
  const double area = static_cast<double>(region.width) * static_cast<double>(region.height);
  overview.reduction = std::max(kLeastStep, std::sqrt(area / kMostPatches));
  const auto cells = [&](std::int64_t pixels) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(pixels) / overview.reduction)));
  };
  overview.width = cells(region.width);
  overview.height = cells(region.height);
  std::vector<Rgb> patch(static_cast<std::size_t>(kPatch) * kPatch);
  for (int j = 0; j < overview.height; ++j)
    for (int i = 0; i < overview.width; ++i) {
      const auto middle = [&](std::int64_t origin, std::int64_t size, int cell) {
        const double begin = cell * overview.reduction;
        const double end = std::min(begin + overview.reduction, static_cast<double>(size));
        return std::llround((static_cast<double>(origin) + (begin + end) / 2) * grid.scale()) - kPatch / 2;
      };
      slide.read_around_gaps(0, middle(region.x, region.width, i), middle(region.y, region.height, j),
                             {patch.data(), kPatch, kPatch, kPatch});
      overview.pixels.push_back(mean_of({patch.data(), kPatch, kPatch, kPatch}));
    }
  return overview;
}

}  // namespace

Overview read_overview(const Slide& slide, const WorkingSlide& grid, const Rect& region, int side) {
  Overview overview;
  overview.region = region;
  const auto longer = static_cast<double>(std::max(region.width, region.height));
  overview.reduction = std::clamp(longer / side, 1.0, std::max(1.0, kMostScale / grid.scale()));
  if (pixels_read(slide, grid, region, overview.reduction) > kMostRead) return sample_overview(slide, grid, region);
  const auto reduced = [&](std::int64_t pixels) {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(pixels) / overview.reduction));
  };
  overview.width = static_cast<int>(reduced(region.width));
  overview.height = static_cast<int>(reduced(region.height));
  overview.pixels.resize(static_cast<std::size_t>(overview.width) * overview.height);
  // In units of level-0 pixels, so that it works without a known resolution.
  const WorkingSlide coarse(slide, grid.scale() * overview.reduction, 1.0);
  const std::int64_t left = std::llround(static_cast<double>(region.x) / overview.reduction);
  const std::int64_t top = std::llround(static_cast<double>(region.y) / overview.reduction);
  for (int y = 0; y < overview.height; y += kBandHeight)
    coarse.read_around_gaps(
        left, top + y,
        {overview.view().row(y), overview.width, std::min(kBandHeight, overview.height - y), overview.width});
  return overview;
}

}  // namespace starpath::io
