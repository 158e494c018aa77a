// k-means over more points than fit into memory, as StarPU tasks: a task a block of points and round.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "pipelines/clustering/points.hpp"
#include "pipelines/clustering/team.hpp"

namespace starpath {

/// The points of this process, which are read block by block, in any order, on one thread.
class PointSource {
 public:
  virtual ~PointSource() = default;
  virtual int numbers() const = 0;
  virtual std::int64_t count() const = 0;
  /// Fills `values` with the points from `first` on, as many as fit.
  virtual void read(std::int64_t first, std::span<std::int16_t> values) = 0;
};

/// Points that are in memory already.
class PointsInMemory final : public PointSource {
 public:
  explicit PointsInMemory(Points points) : points_(std::move(points)) {}
  const Points& points() const { return points_; }
  int numbers() const override { return points_.numbers; }
  std::int64_t count() const override { return static_cast<std::int64_t>(points_.count()); }
  void read(std::int64_t first, std::span<std::int16_t> values) override {
    std::copy_n(points_.row(static_cast<std::size_t>(first)), values.size(), values.begin());
  }

 private:
  const Points points_;
};

/// Points of a block, at most: a task of some milliseconds.
inline constexpr std::int64_t kPointsOfBlock = 16384;

struct KmeansResult {
  Points centres;
  int rounds = 0;
  bool settled = false;  // the last round changed no centre
};

/// Told after every round.
using OnRound = std::function<void(int round, std::int64_t spread)>;
/// Gets the labels of the points from `first` on; blocks come in order.
using OnLabels = std::function<void(std::int64_t first, std::span<const std::uint8_t> labels)>;

/// Lloyd's rounds from these centres, the same on all of `team`, until none changes, at most `most_rounds`. The result
/// depends on the points of all and on the centres only. StarPU must be running. Throws Error{runtime} when a task
/// fails, the errors of `points`, and Stopped as Team does.
KmeansResult kmeans(PointSource& points, Points centres, int most_rounds, const OnRound& on_round, Team& team);

/// Called once before label_points(), for GPUs: blocks of points of so many numbers, and so many centres.
void prepare_gpus_for_points(std::int64_t numbers, std::int64_t centres);

/// The nearest centre of every point of this process, and the sums over all of `team`. Throws as kmeans().
CentreSums label_points(PointSource& points, const Points& centres, const OnLabels& on_labels, Team& team);

}  // namespace starpath
