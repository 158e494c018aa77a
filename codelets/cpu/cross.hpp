// Filters by the 3x3 cross, a row at a time.
#pragma once
#include <algorithm>
#include <cstdint>

namespace starpath::cpu {

/// For erosion (of masks) and dilation.
constexpr std::uint8_t both(std::uint8_t a, std::uint8_t b) { return a & b; }
constexpr std::uint8_t either(std::uint8_t a, std::uint8_t b) { return a | b; }

/// out[x] = pick over the cross at here[x]. Beyond the ends nothing is picked; for a row that is not in the image pass
/// `here` itself, which is neutral too.
template <class Pick>
void filter_cross_row(const std::uint8_t* above, const std::uint8_t* here, const std::uint8_t* below, int width,
                      std::uint8_t* out, Pick pick) {
  const int last = width - 1;
  out[0] = pick(pick(above[0], below[0]), pick(here[0], here[std::min(1, last)]));
  for (int x = 1; x < last; ++x) out[x] = pick(pick(above[x], below[x]), pick(here[x], pick(here[x - 1], here[x + 1])));
  if (last > 0) out[last] = pick(pick(above[last], below[last]), pick(here[last], here[last - 1]));
}

}  // namespace starpath::cpu
