// How a picture is opened that is no slide.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "io/slides/slide.hpp"

namespace starpath::io {

struct Opening {
  std::uint8_t ground = 255;  ///< gray that transparent pixels are laid over
  bool whole_canvas = false;  ///< OpenSlide's canvas, as in results of versions that knew no bounds (slide_bounds.hpp)
  bool is_picture = false;    ///< a TIFF, PNG or JPEG file: no slide of a scanner is looked for in it
  /// Hears the size of a picture that is decoded whole, before it is. An exception ends the opening.
  std::function<void(std::int64_t width, std::int64_t height)> on_size{};
};

/// As open_slide(input). `ground` is that of PNG and TIFF files; slides of OpenSlide lie over white.
std::unique_ptr<Slide> open_slide(const std::string& input, const Opening& opening);

}  // namespace starpath::io
