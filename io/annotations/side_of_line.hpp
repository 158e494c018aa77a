// On which side of a line a point lies.
#pragma once
#include "io/annotations/polygon.hpp"

namespace starpath::io {

/// Twice the area of the triangle: positive when c lies left of the line from a to b, but for rounding.
inline double side(Vertex a, Vertex b, Vertex c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

}  // namespace starpath::io
