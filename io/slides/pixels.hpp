// Small pixel helpers that every slide backend needs.
#pragma once
#include <cstdint>
#include <string>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

inline constexpr Rgb kWhite{255, 255, 255};

void fill(View<Rgb> out, Rgb colour);

/// Pixels left <= x < right, top <= y < bottom.
struct PixelBox {
  std::int64_t left, top, right, bottom;
  bool empty() const { return left >= right || top >= bottom; }
};

/// The part of a picture of `width` x `height` pixels that `out`, whose top left pixel lies at (x, y), shows. The rest
/// of `out` is filled with white.
PixelBox shown_part(std::int64_t width, std::int64_t height, std::int64_t x, std::int64_t y, View<Rgb> out);

/// Copies the pixels that `source`, whose top left pixel lies at (source_x, source_y), shares with `out`, whose top
/// left pixel lies at (out_x, out_y) of the same plane. Pixels of `out` that `source` does not cover keep their value.
void copy_overlap(RgbView source, std::int64_t source_x, std::int64_t source_y, View<Rgb> out, std::int64_t out_x,
                  std::int64_t out_y);

/// A warning where more than half of the pixels are transparent (alpha below one half); else empty.
std::string clear_warning(std::int64_t clear, std::int64_t pixels);

/// A colour channel premultiplied by alpha (channel <= alpha), laid over a gray.
constexpr std::uint8_t premultiplied_over(std::uint8_t ground, unsigned channel, unsigned alpha) {
  const unsigned sum = channel + ground * (255 - alpha) / 255;
  return static_cast<std::uint8_t>(sum > 255 ? 255 : sum);
}

/// A colour channel not yet multiplied by alpha, laid over a gray.
constexpr std::uint8_t blend_over(std::uint8_t ground, unsigned channel, unsigned alpha) {
  return static_cast<std::uint8_t>((channel * alpha + ground * (255 - alpha) + 127) / 255);
}

}  // namespace starpath::io
