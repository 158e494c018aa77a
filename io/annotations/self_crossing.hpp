// Polygons that cross themselves. Pure.
#pragma once
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

/// Whether a ring of the polygons crosses itself or another one. Rings may touch. Time n log n for n vertices, unless
/// the boxes around many edges overlap.
bool crosses_itself(const std::vector<Polygon>& polygons);

}  // namespace starpath::io
