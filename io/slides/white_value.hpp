// Which of its 16-bit values an image means as white.
#pragma once
#include <cstdint>
#include <string>

namespace starpath::io {

struct DeepWhite {
  std::uint16_t value = 0xffff;
  std::string remark =
      {};  // a warning where values fill a part of their bits, and the file does not say so; else empty
};

/// `stated_bits`: how many of the 16 bits hold the picture, as the file says; 0 where it does not say. `largest`: of
/// the image's values, or of a sample. Fewer bits count where they hold all values: cameras have 10, 12 or 14. Pure.
DeepWhite white_of(int stated_bits, std::uint16_t largest);

/// The value between 0 and 255 that a value between 0 and `white` stands for, rounded; larger ones are 255. Pure.
constexpr std::uint8_t eight_bits(std::uint32_t value, std::uint32_t white) {
  return static_cast<std::uint8_t>(((value < white ? value : white) * 255 + white / 2) / white);
}

}  // namespace starpath::io
