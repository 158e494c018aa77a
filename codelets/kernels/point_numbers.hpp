// Nuclei as points: z-scores in whole numbers, so that distances are exact and the same on every device.
#pragma once
#include <cstdint>

#include "codelets/kernels/host_device.hpp"

namespace starpath {

/// Unit 1/256 of a deviation, clamped to +-2047 (8 deviations).
inline constexpr int kPointUnit = 256, kPointLimit = 2047;
/// With more numbers a point, squared distances might not fit 32 bits.
inline constexpr int kMostPointNumbers = 256;
static_assert(std::uint64_t{kMostPointNumbers} * (2 * kPointLimit) * (2 * kPointLimit) <= UINT32_MAX);

/// Rows of points are padded with zeros to a multiple of this. Zeros change no distance, and a vector instruction takes
/// this many numbers at a time.
inline constexpr int kPointRowUnit = 16;
constexpr int padded_point(int numbers) { return (numbers + kPointRowUnit - 1) / kPointRowUnit * kPointRowUnit; }

/// z-score as points hold it, rounded half away from zero; 0 for NaN and for a feature that does not vary.
constexpr std::int16_t point_number(double value, double mean, double deviation) {
  const double z = (value - mean) / deviation * kPointUnit;
  if (!(deviation > 0) || z != z) return 0;
  if (z >= kPointLimit) return kPointLimit;
  if (z <= -kPointLimit) return -kPointLimit;
  return static_cast<std::int16_t>(z < 0 ? z - 0.5 : z + 0.5);
}

/// The value that a number of a point stands for.
constexpr double value_of_point(std::int16_t number, double mean, double deviation) {
  return mean + number * deviation / kPointUnit;
}

/// The squared distance of two points of so many numbers.
STARPATH_HD constexpr std::uint32_t squared_distance(const std::int16_t* a, const std::int16_t* b, int numbers) {
  std::uint32_t sum = 0;
  for (int i = 0; i < numbers; ++i) {
    const int difference = a[i] - b[i];
    sum += static_cast<std::uint32_t>(difference * difference);
  }
  return sum;
}

}  // namespace starpath
