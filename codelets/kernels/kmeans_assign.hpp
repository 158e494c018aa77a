// The step of k-means that looks at every point: which centre is nearest, and the sums that the next centres come from.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Points are z-scores in whole numbers, so that distances and sums are exact and the same on every device, in any
/// order: unit 1/256 of a deviation, clamped to +-2047 (8 deviations).
inline constexpr int kPointUnit = 256, kPointLimit = 2047;
/// With more numbers a point, squared distances might not fit 32 bits.
inline constexpr int kMostPointNumbers = 256;
inline constexpr int kMostCentres = 64;
/// Points of a call: sums of their numbers fit 32 bits.
inline constexpr int kMostPoints = 1 << 20;
static_assert(std::uint64_t{kMostPointNumbers} * (2 * kPointLimit) * (2 * kPointLimit) <= UINT32_MAX);
static_assert(std::int64_t{kMostPoints} * kPointLimit <= INT32_MAX);

/// z-score as points hold it, rounded half away from zero; 0 for NaN and for a feature that does not vary.
constexpr std::int16_t point_number(double value, double mean, double deviation) {
  const double z = (value - mean) / deviation * kPointUnit;
  if (!(deviation > 0) || z != z) return 0;
  if (z >= kPointLimit) return kPointLimit;
  if (z <= -kPointLimit) return -kPointLimit;
  return static_cast<std::int16_t>(z < 0 ? z - 0.5 : z + 0.5);
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

STARPATH_DECLARE_KERNEL(
    /// A row of `points` and of `centres` is a point of the same number of numbers, within +-kPointLimit. Overwrites
    /// `labels`, one a point, with the number of the nearest centre, of equally near ones the first. Overwrites `sums`,
    /// a row a centre, with the sums of the numbers of its points, then how many these are, then the sum of their
    /// squared distances: two columns more than a point has numbers. Lloyd 1982; see docs/clusters.md.
    void kmeans_assign(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> centres,
                       std::span<std::uint8_t> labels, View<std::int64_t> sums))

}  // namespace starpath
