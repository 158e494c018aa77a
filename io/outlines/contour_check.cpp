#include "io/outlines/contour_check.hpp"

#include <cstdlib>

namespace starpath::io {

bool is_contour(const Contour& polygon, std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) {
  if (polygon.size() < 4 || polygon.size() % 2 != 0) return false;
  const bool begins_vertically = polygon[0].x == polygon[1].x;
  std::int64_t vertical_edges = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const bool vertical = (i % 2 == 0) == begins_vertically;
    if (a == b || (vertical ? a.x != b.x : a.y != b.y)) return false;
    if (a.x < x0 || a.x > x1 || a.y < y0 || a.y > y1) return false;
    vertical_edges += std::abs(std::int64_t{b.y} - a.y);
  }
  return vertical_edges <= kMostVerticalEdges;
}

}  // namespace starpath::io
