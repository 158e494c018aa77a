// Regions of equal cells on a grid, as polygons with holes.
#pragma once
#include <vector>

#include "io/outlines/contour.hpp"

namespace starpath::io {

/// Cells that hang together along edges and have one value.
struct GridRegion {
  int value;
  std::vector<Point> cells;  // in the order in which a search from the first one in raster order finds them
  std::vector<Contour>
      rings;  // in grid vertices: the outline, clockwise on the screen, then each hole the other way round
};

/// Regions of the cells with a value >= 0 of a grid given row by row, in raster order of their first cells. Rings are
/// simple: where two cells of a region touch only across a corner, two rings touch.
std::vector<GridRegion> grid_regions(const std::vector<int>& values, int columns, int rows);

}  // namespace starpath::io
