// The step of k-means that looks at every point: which centre is nearest, and the sums that the next centres come from.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/point_numbers.hpp"

namespace starpath {

inline constexpr int kMostCentres = 64;
/// Points of a call: sums of their numbers fit 32 bits.
inline constexpr int kMostPoints = 1 << 20;
static_assert(std::int64_t{kMostPoints} * kPointLimit <= INT32_MAX);

STARPATH_DECLARE_KERNEL(
    /// A row of `points` and of `centres` is a point of the same number of numbers, within +-kPointLimit. Overwrites
    /// `labels`, one a point, with the number of the nearest centre, of equally near ones the first. Overwrites `sums`,
    /// a row a centre, with the sums of the numbers of its points, then how many these are, then the sum of their
    /// squared distances: two columns more than a point has numbers. Lloyd 1982; see docs/groups-of-nuclei.md.
    void kmeans_assign(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> centres,
                       std::span<std::uint8_t> labels, View<std::int64_t> sums))

}  // namespace starpath
