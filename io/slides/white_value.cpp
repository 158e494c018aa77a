// White by bits.
#include "io/slides/white_value.hpp"

#include <fmt/format.h>

#include <bit>

namespace starpath::io {

DeepWhite white_of(int stated_bits, std::uint16_t largest) {
  const int filled = std::bit_width(largest);
  if (stated_bits >= 8 && stated_bits < 16 && filled <= stated_bits)
    return {static_cast<std::uint16_t>((1U << static_cast<unsigned>(stated_bits)) - 1), ""};
  if (filled == 16 || filled == 0) return {};
  return {0xffff,
          fmt::format("its values of 16 bits fill {} of them (up to {}), and the file does not say that white is "
                      "there: it is taken as it is, dark; write it with MaxSampleValue, or as 8-bit RGB",
                      filled, largest)};
}

}  // namespace starpath::io
