// How far off something may be and still be like what was held out.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace starpath {

/// The chance with which one more of the same kind exceeds conformal_range() of so many distances: 1 in 100, or, of
/// fewer than 99, 1 in their number + 1.
constexpr double conformal_chance(std::size_t distances) {
  constexpr double wanted = 0.01;
  return std::max(wanted, 1 / (static_cast<double>(distances) + 1));
}

/// The order statistic of distances, one at least, that conformal prediction takes (Vovk, Gammerman, Shafer 2005,
/// section 2.2). It assumes nothing of how distances are distributed.
template <class Distance>
Distance conformal_range(std::vector<Distance> distances) {
  std::ranges::sort(distances);
  const std::size_t within = ((distances.size() + 1) * 99 + 99) / 100;  // 99 % of one more than there are, rounded up
  return distances[std::min(within, distances.size()) - 1];
}

}  // namespace starpath
