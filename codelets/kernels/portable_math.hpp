// Logarithm and power of two from + - * / alone, so that every machine and compiler gets the same bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"

namespace starpath {

// std::log2 is not used: its last bit depends on the C library and on whether the machine has fused multiply-adds.

/// log2(x) for a finite x > 0, within 2 units in the last place of max(1, |log2 x|); exact for powers of two.
STARPATH_HD constexpr double portable_log2(double x) {
  constexpr double sqrt2 = 1.4142135623730951;
  constexpr double two_over_ln2 = 2.8853900817779268;
  int exponent = 0;
  for (; x >= sqrt2; x *= 0.5) ++exponent;
  for (; x < sqrt2 / 2; x *= 2) --exponent;
  const double s = (x - 1) / (x + 1);  // |s| < 0.1716
  double series = 0;                   // atanh(s) / s
  for (int k = 11; k >= 0; --k) series = series * (s * s) + 1.0 / (2 * k + 1);
  return exponent + two_over_ln2 * s * series;
}

/// 2^x for |x| < 1000, within 4 units in the last place; exact for integers.
STARPATH_HD constexpr double portable_exp2(double x) {
  constexpr double ln2 = 0.6931471805599453;
  const int exponent = static_cast<int>(x < 0 ? x - 0.5 : x + 0.5);
  const double y = (x - exponent) * ln2;  // |y| < 0.3466
  double result = 1;
  for (int k = 15; k >= 1; --k) result = 1 + result * y / k;
  for (int k = 0; k < exponent; ++k) result *= 2;
  for (int k = 0; k > exponent; --k) result *= 0.5;
  return result;
}

namespace detail {
inline constexpr auto kNLog2NTable = [] {
  std::array<double, 1024> table{};
  for (std::size_t n = 1; n < table.size(); ++n)
    table[n] = static_cast<double>(n) * portable_log2(static_cast<double>(n));
  return table;
}();
}  // namespace detail

/// n * log2(n), and 0 for 0.
STARPATH_HD constexpr double n_log2_n(std::uint64_t n) {
#if !defined(__CUDA_ARCH__)  // GPUs cannot see the table; it holds the same bits
  if (n < detail::kNLog2NTable.size()) return detail::kNLog2NTable[n];
#endif
  if (n == 0) return 0;
  return static_cast<double>(n) * portable_log2(static_cast<double>(n));
}

}  // namespace starpath
