// Numbers by the standard's to_chars; places as integers of thousandths, which is five times as fast.
#include "io/exports/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace starpath::io {

void append_measure(std::string& text, double value, int digits) {
  std::array<char, 64> room;
  char *const first = room.data(), *const last = room.data() + room.size();
  const auto single = static_cast<float>(value);
  const std::to_chars_result written = digits > 0
                                           ? std::to_chars(first, last, value, std::chars_format::general, digits)
                                       : std::isfinite(single) ? std::to_chars(first, last, single)
                                                               : std::to_chars(first, last, value);
  text.append(first, written.ptr);
}

void append_place(std::string& text, double value) {
  constexpr std::int64_t thousand = 1000;
  const std::int64_t thousandths = std::llround(value * static_cast<double>(thousand));
  const std::int64_t magnitude = std::abs(thousandths), rest = magnitude % thousand;
  std::array<char, 32> room;
  char* end = room.data();
  if (thousandths < 0) *end++ = '-';
  end = std::to_chars(end, room.data() + room.size(), magnitude / thousand).ptr;
  if (rest != 0) {
    *end++ = '.';
    for (std::int64_t left = rest, unit = thousand / 10; left != 0; left %= unit, unit /= 10)
      *end++ = static_cast<char>('0' + left / unit);
  }
  text.append(room.data(), end);
}

}  // namespace starpath::io
