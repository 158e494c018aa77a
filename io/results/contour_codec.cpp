// How results.sqlite keeps an outline.
#include "io/results/contour_codec.hpp"

#include <cstdint>

namespace starpath::io {

// On a little-endian machine both loops are plain copies, and compilers see it.
void encode_contour(const Contour& contour, std::vector<std::byte>& bytes) {
  bytes.resize(contour.size() * 8);
  std::byte* to = bytes.data();
  const auto put = [&](std::int32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
      *to++ = static_cast<std::byte>((static_cast<std::uint32_t>(value) >> shift) & 0xffU);
  };
  for (const Point& point : contour) {
    put(point.x);
    put(point.y);
  }
}

void decode_contour(std::span<const std::byte> bytes, Contour& contour) {
  contour.resize(bytes.size() / 8);
  const std::byte* from = bytes.data();
  const auto get = [&] {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8) value |= std::to_integer<std::uint32_t>(*from++) << shift;
    return static_cast<std::int32_t>(value);
  };
  for (Point& point : contour) {
    point.x = get();
    point.y = get();
  }
}

}  // namespace starpath::io
