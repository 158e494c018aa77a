// Clipping by half planes (Sutherland, Hodgman 1974) and the shoelace formula.
#include "io/annotations/polygon.hpp"

#include <algorithm>
#include <cmath>

namespace starpath::io {
namespace {

/// The part of the ring where `inside_by` is not negative: a linear function of the vertex, positive inside. What
/// leaves and comes back is joined along the border, which adds no area.
template <class InsideBy>
Ring clipped(const Ring& ring, const InsideBy& inside_by) {
  Ring part;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vertex a = ring[i], b = ring[(i + 1) % ring.size()];
    const double in_a = inside_by(a), in_b = inside_by(b);
    if (in_a >= 0) part.push_back(a);
    if ((in_a < 0) == (in_b < 0)) continue;
    const double at = in_a / (in_a - in_b);
    part.push_back({a.x + at * (b.x - a.x), a.y + at * (b.y - a.y)});
  }
  return part;
}

template <class Clip>
Polygon each_ring(const Polygon& polygon, const Clip& clip) {
  Polygon part{clip(polygon.outline), {}};
  for (const Ring& hole : polygon.holes)
    if (Ring ring = clip(hole); !ring.empty()) part.holes.push_back(std::move(ring));
  return part;
}

double ring_area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vertex a = ring[i], b = ring[(i + 1) % ring.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return std::abs(twice) / 2;
}

}  // namespace

Box bounds(const Polygon& polygon) {
  const Vertex first = polygon.outline.front();
  Box box{first.x, first.y, first.x, first.y};
  for (const Vertex v : polygon.outline)
    box = {std::min(box.x0, v.x), std::min(box.y0, v.y), std::max(box.x1, v.x), std::max(box.y1, v.y)};
  return box;
}

Polygon between_rows(const Polygon& polygon, double y0, double y1) {
  return each_ring(polygon, [=](const Ring& ring) {
    return clipped(clipped(ring, [=](Vertex v) { return v.y - y0; }), [=](Vertex v) { return y1 - v.y; });
  });
}

Polygon between_columns(const Polygon& polygon, double x0, double x1) {
  return each_ring(polygon, [=](const Ring& ring) {
    return clipped(clipped(ring, [=](Vertex v) { return v.x - x0; }), [=](Vertex v) { return x1 - v.x; });
  });
}

double area(const Polygon& polygon) {
  double sum = ring_area(polygon.outline);
  for (const Ring& hole : polygon.holes) sum -= ring_area(hole);
  return sum;
}

}  // namespace starpath::io
