// The distance of two points, for cores.
#pragma once
#include <cstdint>

namespace starpath::cpu {

/// squared_distance() for vector instructions: compilers turn 16-bit differences and 32-bit sums into one
/// multiply-and-add instruction for pairs. Unsigned: the sum may need all 32 bits.
inline std::uint32_t point_distance(const std::int16_t* __restrict a, const std::int16_t* __restrict b, int numbers) {
  std::uint32_t sum = 0;
  for (int i = 0; i < numbers; ++i) {
    const auto difference = static_cast<std::int16_t>(a[i] - b[i]);
    sum += static_cast<std::uint32_t>(int{difference} * int{difference});
  }
  return sum;
}

}  // namespace starpath::cpu
