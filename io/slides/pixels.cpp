// Filling and copying of pixel rectangles.
#include "io/slides/pixels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace starpath::io {

void fill(View<Rgb> out, Rgb colour) {
  for (int y = 0; y < out.height; ++y) std::fill_n(out.row(y), out.width, colour);
}

PixelBox shown_part(std::int64_t width, std::int64_t height, std::int64_t x, std::int64_t y, View<Rgb> out) {
  const std::int64_t none = 0;
  const PixelBox part{std::clamp(x, none, width), std::clamp(y, none, height), std::clamp(x + out.width, none, width),
                      std::clamp(y + out.height, none, height)};
  if (part.right - part.left < out.width || part.bottom - part.top < out.height) fill(out, kWhite);
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
