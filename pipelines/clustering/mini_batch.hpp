// k-means that looks at a sample of the points in each round, for more points than there is time for.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipelines/clustering/kmeans.hpp"

namespace starpath {

struct BatchOptions {
  std::int64_t batch = 0;   ///< points of a round, of all processes; at most `points`
  std::int64_t points = 0;  ///< of all processes
  int rounds = 0;           ///< at most
  std::uint64_t seed = 1;
};

/// Points that follow each other, by their numbers among the points of all processes.
struct PointRun {
  std::int64_t first, count;
  friend bool operator==(const PointRun&, const PointRun&) = default;
};

/// So many points are read at a time: single ones would cost a disk as much as all.
inline constexpr std::int64_t kPointsOfRun = 64;

/// The points of these runs that this process has; the others are on other processes. Runs ascend and do not overlap.
using PointsOf = std::function<Points(std::span<const PointRun> runs)>;

/// Which points a round, from 1, looks at: a run at random, of kPointsOfRun at most, in each of equal stretches of all
/// points. Fewer than `batch` by some points where stretches are shorter than a run.
std::vector<PointRun> batch_of(const BatchOptions& options, int round);

/// Mini-batch k-means (Sculley 2010): each round finds the nearest centre of each point of its batch, and moves every
/// centre to the mean of all points that any round has given it. That mean equals the source's rate of one over their
/// number; it is kept as whole sums. The rounds end when one moves no centre, after `rounds` at most. The result
/// depends on the points of all of `team`, the centres and the options only. Throws as kmeans() does.
KmeansResult kmeans_by_batches(const PointsOf& points_of, Points centres, const BatchOptions& options,
                               const OnRound& on_round, Team& team);

}  // namespace starpath
