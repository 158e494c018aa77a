// Contours into paths.
#include "io/outlines/svg_path.hpp"

namespace starpath::io {
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

}  // namespace starpath::io
