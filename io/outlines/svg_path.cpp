// Contours into paths.
#include "io/outlines/svg_path.hpp"

#include <algorithm>

namespace starpath::io {
namespace {

/// Marks the 8-connected pixels of the label at (x, y).
void mark_object(View<const std::int32_t> labels, int x, int y, std::vector<bool>& seen) {
  const std::int32_t label = labels.at(x, y);
  const auto index = [&](int px, int py) { return static_cast<std::size_t>(py) * labels.width + px; };
  std::vector<Point> open{{x, y}};
  seen[index(x, y)] = true;
  while (!open.empty()) {
    const Point at = open.back();
    open.pop_back();
    for (int py = std::max(at.y - 1, 0); py <= std::min(at.y + 1, labels.height - 1); ++py)
      for (int px = std::max(at.x - 1, 0); px <= std::min(at.x + 1, labels.width - 1); ++px) {
        if (labels.at(px, py) != label || seen[index(px, py)]) continue;
        seen[index(px, py)] = true;
        open.push_back({px, py});
      }
  }
}

}  // namespace

void append_svg_path(const Contour& contour, std::int64_t origin_x, std::int64_t origin_y, std::string& path) {
  if (contour.empty()) return;
  path += 'M' + std::to_string(contour[0].x - origin_x) + ' ' + std::to_string(contour[0].y - origin_y);
  for (std::size_t i = 1; i < contour.size(); ++i) {
    const bool across = contour[i].y == contour[i - 1].y;
    path += across ? 'h' : 'v';
    path += std::to_string(across ? contour[i].x - contour[i - 1].x : contour[i].y - contour[i - 1].y);
  }
  path += 'z';
}

std::string svg_outlines(View<const std::int32_t> labels) {
  std::string path;
  std::vector<bool> seen(static_cast<std::size_t>(labels.pixels()));
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x) {
      if (labels.at(x, y) <= 0 || seen[static_cast<std::size_t>(y) * labels.width + x]) continue;
      append_svg_path(trace_contour(labels, labels.at(x, y), x, y), 0, 0, path);
      mark_object(labels, x, y, seen);
    }
  return path;
}

}  // namespace starpath::io
