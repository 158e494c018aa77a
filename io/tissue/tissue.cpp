// Glass told from tissue, cell by cell.
#include "io/tissue/tissue.hpp"

#include <algorithm>
#include <cmath>

#include "io/slides/working_slide.hpp"

namespace starpath::io {
namespace {

constexpr double kGridMpp = 8;
// The papers' share of glass. The segmentation's default leaves out fewer cells, so that it finds single nuclei.
constexpr int kGlassPercent = 90;

/// Row by row: 0 for tissue, -1 for glass.
std::vector<int> cells_of(const WorkingSlide& grid, int glass, int columns, int rows) {
  std::vector<int> cells;
  std::vector<Rgb> pixels(static_cast<std::size_t>(columns) * kTissueCell * kTissueCell);
  for (int row = 0; row < rows; ++row) {
    const View<Rgb> band{pixels.data(), columns * kTissueCell, kTissueCell, columns * kTissueCell};
    grid.read_around_gaps(0, std::int64_t{row} * kTissueCell, band);  // gaps are white, as glass
    for (int column = 0; column < columns; ++column) {
      int bright = 0;  // pixels outside the slide are white
      for (int y = 0; y < kTissueCell; ++y)
        for (int x = column * kTissueCell; x < (column + 1) * kTissueCell; ++x) {
          const Rgb p = band.at(x, y);
          bright += p.r > glass && p.g > glass && p.b > glass;
        }
      cells.push_back(100 * bright >= kGlassPercent * kTissueCell * kTissueCell ? -1 : 0);
    }
  }
  return cells;
}

}  // namespace

double Tissue::mm2(const GridRegion& region) const {
  const auto within = [](std::int64_t pixels, int cell) {
    return std::min<std::int64_t>(kTissueCell, pixels - std::int64_t{cell} * kTissueCell);
  };
  std::int64_t pixels = 0;
  for (const Point& cell : region.cells) pixels += within(width, cell.x) * within(height, cell.y);
  return static_cast<double>(pixels) * pixel_mm2;
}

double Tissue::mm2() const {
  double all = 0;
  for (const GridRegion& region : regions) all += mm2(region);
  return all;
}

Tissue find_tissue(const Slide& slide, double mpp, const TissueOptions& options) {
  const WorkingSlide grid(slide, std::min(kGridMpp, kMostScale * mpp), mpp);
  Tissue tissue{.width = grid.width(),
                .height = grid.height(),
                .scale = grid.scale(),
                .pixel_mm2 = std::pow(grid.scale() * mpp / 1000, 2),
                .slide_width = slide.info().width(),
                .slide_height = slide.info().height(),
                .regions = {}};
  const auto cells_on = [](std::int64_t pixels) { return static_cast<int>((pixels + kTissueCell - 1) / kTissueCell); };
  const int columns = cells_on(grid.width()), rows = cells_on(grid.height());
  tissue.regions = grid_regions(cells_of(grid, options.glass, columns, rows), columns, rows);
  std::erase_if(tissue.regions, [&](const GridRegion& region) { return tissue.mm2(region) < options.least_mm2; });
  return tissue;
}

}  // namespace starpath::io
