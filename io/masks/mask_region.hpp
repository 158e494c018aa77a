// A region from a picture: white is inside.
#pragma once
#include <string>

#include "io/annotations/region_map.hpp"

namespace starpath::io {

/// Pixels of at least this in R, G and B, laid over black where they are transparent, are inside.
inline constexpr int kInside = 128;

/// The picture laid over the whole slide, `width` x `height` level-0 pixels: each of its pixels stands for a rectangle.
/// One region of as many polygons as white areas, called by the file's name without its ending. Throws Error{input} for
/// a picture of more than 2^25 pixels or of another shape than the slide, before it is decoded, for one without a white
/// pixel, and as open_slide.
Region read_mask(const std::string& file, double width, double height);

}  // namespace starpath::io
