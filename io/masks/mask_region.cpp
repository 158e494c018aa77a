// From pixels to polygons.
#include "io/masks/mask_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "io/outlines/grid_regions.hpp"
#include "io/slides/opening.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 25;
constexpr std::int64_t kMostAreas = 100'000;  // each becomes a polygon: tissue and pen come to hundreds
constexpr double kShape = 0.01;               // by which the sides' ratio may differ
constexpr int kBand = 256;                    // rows that are read at once

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", file, what));
}

void check_shape(const std::string& file, std::int64_t columns, std::int64_t rows, double width, double height) {
  if (columns > kMostPixels / rows)
    refuse(file, fmt::format("a mask of {}x{} px has more than {} px; reduce it", columns, rows, kMostPixels));
  const double tall = static_cast<double>(columns) * height / width;  // of the slide's shape
  const double rounding = 0.51 * (1 + height / width);                // of both sides to whole pixels
  if (std::abs(tall - static_cast<double>(rows)) > std::max({1.0, rounding, kShape * tall}))
    refuse(file, fmt::format("a mask of {}x{} px has another shape than the slide, which is {:.0f}x{:.0f} px; is it of "
                             "another slide?",
                             columns, rows, width, height));
}

/// Row by row: 0 inside, -1 outside.
std::vector<int> cells_of(const std::string& file, const Slide& mask) {
  const int width = static_cast<int>(mask.info().width()), height = static_cast<int>(mask.info().height());
  std::vector<Rgb> pixels(static_cast<std::size_t>(width) * kBand);
  std::vector<int> cells;
  int brightest = 0;
  for (int top = 0; top < height; top += kBand) {
    const View<Rgb> band{pixels.data(), width, std::min(kBand, height - top), width};
    mask.read(0, 0, top, band);
    for (int y = 0; y < band.height; ++y)
      for (int x = 0; x < width; ++x) {
        const Rgb p = band.at(x, y);
        const int darkest = std::min({p.r, p.g, p.b});
        brightest = std::max(brightest, darkest);
        cells.push_back(darkest >= kInside ? 0 : -1);
      }
  }
  if (brightest < kInside)
    refuse(file, fmt::format("a mask without a white pixel (the brightest is {} of 255); white is inside", brightest));
  return cells;
}

}  // namespace

Region read_mask(const std::string& file, double width, double height) {
  const auto check = [&](std::int64_t across, std::int64_t down) { check_shape(file, across, down, width, height); };
  // What is transparent is laid over black: nobody has painted it, so it is outside.
  const std::unique_ptr<Slide> mask = open_slide(file, {.ground = 0, .on_size = check});
  check(mask->info().width(), mask->info().height());  // of formats that are read piece by piece
  const int columns = static_cast<int>(mask->info().width()), rows = static_cast<int>(mask->info().height());
  const double wide = width / columns, tall = height / rows;
  const auto ring_of = [&](const Contour& contour) {
    Ring ring;
    for (const Point& p : contour) ring.push_back({static_cast<double>(p.x) * wide, static_cast<double>(p.y) * tall});
    return ring;
  };
  Region region{std::filesystem::path(file).stem().string(), "", {}};
  const std::vector<GridRegion> areas = grid_regions(cells_of(file, *mask), columns, rows);
  if (std::ssize(areas) > kMostAreas)
    refuse(file, fmt::format("has {} separate white areas, more than {}; is it a mask?", areas.size(), kMostAreas));
  for (const GridRegion& area : areas) {
    Polygon polygon{ring_of(area.rings[0]), {}};
    for (std::size_t hole = 1; hole < area.rings.size(); ++hole) polygon.holes.push_back(ring_of(area.rings[hole]));
    region.polygons.push_back(std::move(polygon));
  }
  return region;
}

}  // namespace starpath::io
