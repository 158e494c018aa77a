// Whether a polygon from outside is an outline on the pixel grid.
#pragma once
#include <cstdint>

#include "io/outlines/contour.hpp"

namespace starpath::io {

/// Outlines of more vertical unit edges than this are none of nuclei: a tile of 4096 x 4096 pixels, every second one of
/// them set, has as many. Bounds what pixel_runs() takes: 12 bytes an edge.
inline constexpr std::int64_t kMostVerticalEdges = std::int64_t{1} << 24;

/// Whether it turns at every vertex by a right angle, lies within the corners (x0, y0) and (x1, y1), and has at most
/// kMostVerticalEdges. Whether it crosses itself is not looked at. Pure.
bool is_contour(const Contour& polygon, std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1);

}  // namespace starpath::io
