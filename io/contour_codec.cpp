// How results.sqlite keeps an outline.
#include "io/contour_codec.hpp"

#include <cstdint>

namespace starpath::io {

void encode_contour(const Contour& contour, std::vector<std::byte>& bytes) {
  bytes.clear();
  const auto put = [&](std::int32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<std::byte>((static_cast<std::uint32_t>(value) >> shift) & 0xffU));
  };
  for (const Point& point : contour) {
    put(point.x);
    put(point.y);
  }
}

void decode_contour(std::span<const std::byte> bytes, Contour& contour) {
  contour.resize(bytes.size() / 8);
  const auto get = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    return static_cast<std::int32_t>(value);
  };
  for (std::size_t i = 0; i < contour.size(); ++i) contour[i] = {get(8 * i), get(8 * i + 4)};
}

}  // namespace starpath::io
