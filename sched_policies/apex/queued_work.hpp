// The queued tasks, and sums over them by place.
#pragma once
#include <vector>

#include "sched_policies/apex/cost_buckets.hpp"
#include "sched_policies/apex/places.hpp"
#include "sched_policies/planning/work_by_upward_rank.hpp"

namespace starpath {

/// Costs within this factor count as equal.
inline constexpr double kSameCost = 1.05;

/// The queued tasks in buckets, and how much work they are. The *weight* of a task is its lowest cost, in seconds.
/// Not thread-safe.
class QueuedWork {
 public:
  /// `places` outlives it.
  explicit QueuedWork(const Places& places) : places_(&places), at_place_(places.size()) {}

  /// Sets `cheapest` and `level` of the task.
  void insert(CostedTask& task);
  void remove(CostedTask& task);
  /// Of a task in here.
  void set_upward_rank(CostedTask& task, double upward_rank);

  const CostBuckets& buckets() const { return buckets_; }
  std::size_t size() const { return buckets_.size(); }

  double weight() const { return weight_; }
  /// How fast a worker of the place is at the queued tasks: 1 for a worker that is at all of them as cheap as the
  /// cheapest place. 0 without tasks.
  double speed(PlaceId place) const { return weight_ > 0 ? at_place_[place].speed / weight_ : 0; }
  /// Seconds of the queued tasks that cost least at the place.
  const WorkByUpwardRank& by_upward_rank(PlaceId place) const { return at_place_[place].by_upward_rank; }

 private:
  struct Sums {
    double speed = 0;  // weight of each task times its lowest cost over its cost here
    WorkByUpwardRank by_upward_rank = {};
  };
  void note_costs(const CostedTask& task);
  void count(const CostedTask& task, double sign);

  const Places* places_;
  CostBuckets buckets_;
  std::vector<Sums> at_place_;
  double weight_ = 0;
  std::vector<double> costs_;               // by place, of the task that is being counted
  std::vector<double> ratios_;              // by place, of the task that is being inserted
  double last_upward_rank_ = -1;            // many tasks are alike, and a level takes a logarithm:
  WorkByUpwardRank::Level last_level_ = 0;  // the level of that upward rank
};

}  // namespace starpath
