// Every unit edge of the outline separates the centres of two pixels. A polygon that crosses the lines between these
// pairs of centres, each strictly between its ends and one after the other, holds the same centres: from one line to
// the next it stays in a square of four centres. So a leg may replace all the middles that it passes in this way.
#include "io/outlines/smooth_polygon.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace starpath::io {
namespace {

/// The middle of a unit edge, in half pixels, and whether the edge is horizontal.
struct Middle {
  Point at;
  bool horizontal;
};

/// The first and the last unit edge of each side. A leg that crosses both lines of centres crosses those between.
std::vector<Middle> middles_of(const Contour& contour) {
  std::vector<Middle> middles;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    const std::int32_t dx = (b.x > a.x) - (b.x < a.x), dy = (b.y > a.y) - (b.y < a.y);
    const Middle first{{2 * a.x + dx, 2 * a.y + dy}, dy == 0}, last{{2 * b.x - dx, 2 * b.y - dy}, dy == 0};
    middles.push_back(first);
    if (first.at != last.at) middles.push_back(last);
  }
  return middles;
}

/// Whether the leg from `a` to `b` passes `middle` less than half a pixel beside it, between the two centres.
bool passes(Point a, Point b, const Middle& middle) {
  std::int64_t run = b.x - a.x, rise = b.y - a.y, along = middle.at.x - a.x, beside = middle.at.y - a.y;
  if (!middle.horizontal) {
    std::swap(run, rise);
    std::swap(along, beside);
  }
  // The leg's offset at the middle is rise * along / run - beside; centres are 1 half pixel off.
  return run != 0 && std::abs(rise * along - beside * run) < std::abs(run);
}

}  // namespace

std::vector<Point> smooth_polygon(const Contour& contour) {
  const std::vector<Middle> middles = middles_of(contour);
  const std::size_t count = middles.size();
  const auto middle = [&](std::size_t i) -> const Middle& { return middles[i % count]; };
  const auto can_reach = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from + 1; i < to; ++i)
      if (!passes(middle(from).at, middle(to).at, middle(i))) return false;
    return true;
  };
  std::vector<Point> polygon;
  for (std::size_t from = 0; from < count;) {
    polygon.push_back(middles[from].at);
    std::size_t to = from + 1;
    while (to < count && can_reach(from, to + 1)) ++to;  // to == count: back at the start
    from = to;
  }
  return polygon;
}

}  // namespace starpath::io
