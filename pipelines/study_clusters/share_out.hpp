// Divides slides among processes. Pure.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace starpath {

/// Returns the slides of each process as places in `nuclei`, in ascending order. Slides are given out one by one, the
/// largest first. Each goes to the process that has the fewest nuclei for its weight at that moment; of equal processes
/// the first gets it. Weights are positive.
inline std::vector<std::vector<std::size_t>> share_out(const std::vector<std::int64_t>& nuclei,
                                                       const std::vector<std::int64_t>& weights) {
  std::vector<std::size_t> largest_first(nuclei.size());
  std::iota(largest_first.begin(), largest_first.end(), std::size_t{0});
  std::ranges::stable_sort(largest_first, [&](std::size_t a, std::size_t b) { return nuclei[a] > nuclei[b]; });
  std::vector<std::vector<std::size_t>> shares(weights.size());
  std::vector<std::int64_t> sums(weights.size());
  for (const std::size_t slide : largest_first) {
    std::size_t best = 0;
    for (std::size_t process = 1; process < weights.size(); ++process)
      if ((sums[process] + nuclei[slide]) * weights[best] < (sums[best] + nuclei[slide]) * weights[process])
        best = process;
    sums[best] += nuclei[slide];
    shares[best].push_back(slide);
  }
  for (std::vector<std::size_t>& share : shares) std::ranges::sort(share);
  return shares;
}

}  // namespace starpath
