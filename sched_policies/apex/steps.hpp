// Ratios of times in steps of a fifth.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace starpath {

/// round(4 log2(ratio)) of a ratio of 0 or more, without the logarithm: it would be taken for each bucket in each
/// decision. A ratio within the last bit of half a step may be rounded to either side.
inline double step_of(double ratio) {
  if (!std::isnormal(ratio)) return 4 * std::log2(ratio);  // 0 or infinity: no other ratio here is subnormal
  const auto bits = std::bit_cast<std::uint64_t>(ratio);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffU) | 0x3ff0000000000000U);  // from 1 up to 2
  const int quarters = (mantissa >= 0x1.172b83c7d517bp+0) + (mantissa >= 0x1.4bfdad5362a27p+0) +
                       (mantissa >= 0x1.8ace5422aa0dbp+0) + (mantissa >= 0x1.d5818dcfba487p+0);  // 2^(1/8), (3/8) ...
  return 4 * exponent + quarters;
}

}  // namespace starpath
