// Outlines on the pixel grid: tracing, filling.
#include "io/outlines/contour.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace starpath::io {
namespace {

// Right, down, left, up: a turn to the right is +1.
constexpr std::array<Point, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// Pixels that meet at a vertex, as offsets from it, ahead of someone who walks in direction d.
constexpr std::array<Point, 4> kAheadLeft = {{{0, -1}, {0, 0}, {-1, 0}, {-1, -1}}};
constexpr std::array<Point, 4> kAheadRight = {{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }

}  // namespace

Contour trace_contour(View<const std::int32_t> labels, std::int32_t label, int first_x, int first_y) {
  const auto inside = [&](Point p) { return labels.contains(p.x, p.y) && labels.at(p.x, p.y) == label; };
  const Point start{first_x, first_y};
  if (!inside(start)) throw std::invalid_argument("trace_contour: the first pixel does not hold the label");

  // The object is on the right hand. Of the four pixels at `start` only the first one belongs to it, so the walk passes
  // there once.
  Contour contour{start};
  std::size_t direction = 0;
  for (Point at = start + kSteps[0]; at != start; at = at + kSteps[direction]) {
    if (inside(at + kAheadLeft[direction])) {
      direction = (direction + 3) % 4;  // also across a corner: the object is 8-connected
    } else if (!inside(at + kAheadRight[direction])) {
      direction = (direction + 1) % 4;
    } else {
      continue;
    }
    contour.push_back(at);
  }
  return contour;
}

std::vector<PixelRun> pixel_runs(const Contour& contour) {
  std::vector<std::pair<std::int32_t, std::int32_t>> crossings;  // (y, x) of every vertical unit edge
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    if (a.x != b.x) continue;
    for (std::int32_t y = std::min(a.y, b.y); y < std::max(a.y, b.y); ++y) crossings.emplace_back(y, a.x);
  }
  std::sort(crossings.begin(), crossings.end());

  std::vector<PixelRun> runs;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
    runs.push_back({crossings[i].first, crossings[i].second, crossings[i + 1].second});
  return runs;
}

}  // namespace starpath::io
