// Outlines as the paths of SVG drawings.
#pragma once
#include <string>

#include "io/outlines/contour.hpp"

namespace starpath::io {

/// Appends a closed contour to the `d` of an SVG path, (origin_x, origin_y) being the drawing's top left corner: "M5
/// 3h4v2h-4z". Short, as edges lie along pixels.
void append_svg_path(const Contour& contour, std::int64_t origin_x, std::int64_t origin_y, std::string& path);

}  // namespace starpath::io
