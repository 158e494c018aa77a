// The classifier of nuclei: votes of the k nearest training samples, on many points at once.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/nearest_keys.hpp"
#include "codelets/kernels/point_numbers.hpp"

namespace starpath {

inline constexpr int kMostNeighbours = 31;
inline constexpr int kMostClasses = 32;

/// The vote of a point's neighbours.
struct ClassVote {
  std::uint8_t label = 0;      // number of the class with the largest weight, of equal ones the first
  std::uint16_t share = 0;     // of all weight, unit 1/kVoteUnit, rounded down
  std::uint32_t distance = 0;  // mean of their squared distances, rounded down
  friend bool operator==(const ClassVote&, const ClassVote&) = default;
};
inline constexpr int kVoteUnit = 10'000;

/// 1 / (1 + d^2), d being the distance in deviations, in units of 2^-24, rounded down.
STARPATH_HD constexpr std::uint32_t neighbour_weight(std::uint32_t squared_distance) {
  constexpr std::uint64_t one = std::uint64_t{kPointUnit} * kPointUnit;
  return static_cast<std::uint32_t>((one << 24) / (one + squared_distance));
}

/// The vote of the samples with these keys, one at least. `labels` are those of all samples, below kMostClasses.
STARPATH_HD constexpr ClassVote class_vote(const NearestKeys<kMostNeighbours>& nearest, const std::uint8_t* labels) {
  std::uint32_t weights[kMostClasses] = {}, total = 0;
  std::uint64_t distances = 0;
  for (int i = 0; i < nearest.count(); ++i) {
    const std::uint32_t weight = neighbour_weight(distance_of_key(nearest[i]));
    weights[labels[sample_of_key(nearest[i])]] += weight;
    total += weight;
    distances += distance_of_key(nearest[i]);
  }
  int best = 0;
  for (int c = 1; c < kMostClasses; ++c) best = weights[c] > weights[best] ? c : best;
  return {static_cast<std::uint8_t>(best), static_cast<std::uint16_t>(std::uint64_t{weights[best]} * kVoteUnit / total),
          static_cast<std::uint32_t>(distances / static_cast<std::uint64_t>(nearest.count()))};
}

STARPATH_DECLARE_KERNEL(
    /// A row of `points` and of `samples` is a point of the same number of numbers, within +-kPointLimit. Overwrites
    /// `votes`, one a point, with the vote of the k nearest samples in Euclidean distance; among equally far samples
    /// the first count. `labels`: the class of each sample, below kMostClasses. 1 <= k <= kMostNeighbours, and k
    /// samples or more. docs/groups-of-nuclei.md describes the classifier.
    void nearest_classes(const KernelContext& context, View<const std::int16_t> points,
                         View<const std::int16_t> samples, std::span<const std::uint8_t> labels,
                         std::span<ClassVote> votes, int k))

}  // namespace starpath
