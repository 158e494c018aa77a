// The outline of a nucleus on the pixel grid, and the pixels inside it.
#pragma once
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

struct Point {
  std::int32_t x, y;
  friend bool operator==(const Point&, const Point&) = default;
};

/// A closed polygon along pixel edges: vertices where it turns, first one not repeated, clockwise from the top left
/// corner of the object's first pixel in raster order. Pixel (x, y) is the unit square from (x, y) to (x + 1, y + 1).
/// The objects have no holes (4-connected background), so the polygon says exactly which pixels they hold.
using Contour = std::vector<Point>;

/// A horizontal run of pixels: (x0, y) to (x1 - 1, y).
struct PixelRun {
  std::int32_t y, x0, x1;
  friend bool operator==(const PixelRun&, const PixelRun&) = default;
};

/// Traces the 8-connected object `label` whose first pixel in raster order is (first_x, first_y), in view coordinates.
/// An object that is 8- but not 4-connected gives one polygon that touches itself at the corner. Time and memory grow
/// with the length of the outline only. Throws std::invalid_argument when that pixel does not hold `label`.
Contour trace_contour(View<const std::int32_t> labels, std::int32_t label, int first_x, int first_y);

/// The pixels inside, in raster order (even-odd rule). Inverse of trace_contour.
std::vector<PixelRun> pixel_runs(const Contour& contour);

}  // namespace starpath::io
