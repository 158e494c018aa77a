// Kernels of applications that the estimator is judged by (anthill-2010 section 4, Table 1); the others are in
// loops.hpp and nbia_statistics.hpp. The bits of a result do not depend on how its loop was divided.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// A time step of electrical activity in heart tissue: the monodomain equation with the cell model of Aliev and
/// Panfilov (1996). An iteration is a row.
struct HeartStep {
  View<const float> potential;  ///< before the step: the rows of `next` from row `first` on, and their neighbours
  int first = 0;
  View<float> recovery;  ///< of the rows of `next`: before and after the step
  View<float> next;      ///< the potential after the step
};

/// A point of the data that is near to a query.
struct Neighbour {
  float squared_distance;
  std::uint32_t index;
  bool operator==(const Neighbour&) const = default;
};

struct NeighbourSearch {
  std::span<const float> queries;  ///< [query][dimension]
  std::span<const float> points;   ///< [dimension][point]
  std::size_t dimensions = 0;
  std::span<Neighbour> nearest;  ///< [query][k], nearest first, of equally near ones the lower index first
  std::size_t k = 0;             ///< 1 to 64, at most the number of points
};

/// Transactions, by item: bit t of an item's words says whether transaction t holds it.
struct ItemSearch {
  std::span<const std::uint64_t> transactions;  ///< [item][word]
  std::size_t words = 0;
  std::uint32_t least_support = 1;  ///< transactions that must hold a set for it to be frequent; above 0
  unsigned longest = 4;             ///< items of a set; 1 to 8
};

/// Frequent sets that begin with one item.
struct ItemCount {
  std::uint64_t sets = 0;
  std::uint64_t supports = 0;  ///< sum over the sets
  std::uint64_t tested = 0;    ///< sets whose support was counted
  bool operator==(const ItemCount&) const = default;
};

/// Numbers of the heart model, in units of its cell: a time step of 0.05, diffusion 0.2 elements^2 a time.
struct HeartNumbers {
  float step = 0.05F, spread = 0.01F;  // spread: step * diffusion
  float k = 8, a = 0.15F, epsilon = 0.002F, mu1 = 0.2F, mu2 = 0.3F;
};

namespace detail {

struct HeartCell {
  float potential, recovery;
};

STARPATH_HD constexpr HeartCell heart_cell(float u, float w, float up, float down, float left, float right) {
  constexpr HeartNumbers n;
  const float diffusion = ((up + down) + (left + right)) - 4 * u;
  const float current = n.k * u * (u - n.a) * (u - 1) + u * w;
  const float pace = n.epsilon + n.mu1 * w / (u + n.mu2);
  return {u + (n.spread * diffusion - n.step * current), w + n.step * pace * (-w - n.k * u * (u - n.a - 1))};
}

}  // namespace detail

STARPATH_DECLARE_KERNEL(
    /// One step of every element. No current leaves the tissue: over its edge lies the element itself.
    void heart_step(const KernelContext& context, const HeartStep& rows))

STARPATH_DECLARE_KERNEL(
    /// The k points nearest to each query; squares are added up from the first dimension on.
    void nearest_neighbours(const KernelContext& context, const NeighbourSearch& search))

STARPATH_DECLARE_KERNEL(
    /// Eclat (Zaki 2000): counts[i] of the frequent sets whose first item is first + i, depth first, where a set that
    /// is not frequent is not extended. The set of one item is tested too.
    void frequent_items(const KernelContext& context, const ItemSearch& search, std::size_t first,
                        std::span<ItemCount> counts))

}  // namespace starpath
