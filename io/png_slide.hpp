// Decoding of PNG files, shared by the PNG backend and the folder of tiles.
#pragma once
#include <string>

#include "io/memory_slide.hpp"

namespace starpath::io {

/// Decodes any PNG to 8-bit RGB: palette and gray are expanded, 16 bits rounded to 8, transparency laid over white.
/// Throws Error{input} naming file and reason: damaged, cut off, animated, too large.
WholeImage decode_png(const std::string& path);

}  // namespace starpath::io
