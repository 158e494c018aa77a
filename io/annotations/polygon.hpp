// Polygons that people have drawn, and how much of a rectangle they cover. Pure.
#pragma once
#include <vector>

namespace starpath::io {

struct Vertex {
  double x, y;
};

/// Closed: the last vertex is joined to the first, which is not repeated.
using Ring = std::vector<Vertex>;

/// An outline and the holes in it. Rings may go either way round. They do not cross themselves or each other.
struct Polygon {
  Ring outline;
  std::vector<Ring> holes;
};

struct Box {
  double x0, y0, x1, y1;
};

/// The smallest box around the outline.
Box bounds(const Polygon& polygon);

/// The part of the polygon between two lines, which may touch itself there; its area is that of the part.
Polygon between_rows(const Polygon& polygon, double y0, double y1);
Polygon between_columns(const Polygon& polygon, double x0, double x1);

/// Area without the holes.
double area(const Polygon& polygon);

}  // namespace starpath::io
