// Filling and copying of pixel rectangles.
#include "io/slides/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace starpath::io {

void fill(View<Rgb> out, Rgb colour) {
  const bool gray = colour.r == colour.g && colour.g == colour.b;  // then all bytes are alike
  for (int y = 0; y < out.height; ++y)
    if (gray)
      std::memset(out.row(y), colour.r, static_cast<std::size_t>(out.width) * sizeof(Rgb));
    else
      std::fill_n(out.row(y), out.width, colour);
}

PixelBox shown_part(std::int64_t width, std::int64_t height, std::int64_t x, std::int64_t y, View<Rgb> out) {
  const std::int64_t none = 0;
  const PixelBox part{std::clamp(x, none, width), std::clamp(y, none, height), std::clamp(x + out.width, none, width),
                      std::clamp(y + out.height, none, height)};
  if (part.empty()) {
    fill(out, kWhite);
    return part;
  }
  const auto white = [&](std::int64_t left, std::int64_t top, std::int64_t right, std::int64_t bottom) {
    if (left < right && top < bottom)
      fill({out.row(static_cast<int>(top - y)) + (left - x), static_cast<int>(right - left),
            static_cast<int>(bottom - top), out.stride},
           kWhite);
  };
  white(x, y, x + out.width, part.top);
  white(x, part.top, part.left, part.bottom);
  white(part.right, part.top, x + out.width, part.bottom);
  white(x, part.bottom, x + out.width, y + out.height);
  return part;
}

void copy_overlap(RgbView source, std::int64_t source_x, std::int64_t source_y, View<Rgb> out, std::int64_t out_x,
                  std::int64_t out_y) {
  const std::int64_t left = std::max(source_x, out_x), right = std::min(source_x + source.width, out_x + out.width);
  const std::int64_t top = std::max(source_y, out_y), bottom = std::min(source_y + source.height, out_y + out.height);
  if (left >= right) return;
  for (std::int64_t y = top; y < bottom; ++y) {
    const Rgb* from = source.row(static_cast<int>(y - source_y)) + (left - source_x);
    std::copy_n(from, right - left, out.row(static_cast<int>(y - out_y)) + (left - out_x));
  }
}

std::string clear_warning(std::int64_t clear, std::int64_t pixels) {
  if (2 * clear <= pixels) return "";
  return fmt::format(
      "{} % of the pixels read are transparent, and are taken for glass; if they are not meant to be, save the image "
      "without transparency",
      100 * clear / pixels);
}

}  // namespace starpath::io
