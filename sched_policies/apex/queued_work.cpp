// The queued tasks, and sums over them by place.
#include "sched_policies/apex/queued_work.hpp"

#include <algorithm>

namespace starpath {

void QueuedWork::insert(CostedTask& task) {
  note_costs(task);
  task.cheapest = static_cast<float>(*std::ranges::min_element(costs_));
  if (task.upward_rank != last_upward_rank_) {
    last_upward_rank_ = task.upward_rank;
    last_level_ = WorkByUpwardRank::level(task.upward_rank);
  }
  task.level = last_level_;
  ratios_.clear();
  for (const double cost : costs_) ratios_.push_back(task.cheapest > 0 ? cost / task.cheapest : 1);
  buckets_.insert(task, ratios_);
  count(task, 1);
}

void QueuedWork::remove(CostedTask& task) {
  buckets_.remove(task);
  note_costs(task);
  count(task, -1);
}

void QueuedWork::set_upward_rank(CostedTask& task, double upward_rank) {
  note_costs(task);
  count(task, -1);
  buckets_.set_upward_rank(task, upward_rank);
  task.level = WorkByUpwardRank::level(task.upward_rank);
  count(task, 1);
}

void QueuedWork::note_costs(const CostedTask& task) {
  costs_.clear();
  for (PlaceId place = 0; place < places_->size(); ++place) costs_.push_back(places_->cost(task, place));
}

/// Adds the task to the sums (sign 1) or takes it out (-1). After note_costs.
void QueuedWork::count(const CostedTask& task, double sign) {
  const double least = task.cheapest;
  unsigned cheapest_places = 0;
  for (const double cost : costs_) cheapest_places += cost <= kSameCost * least;
  for (PlaceId place = 0; place < places_->size(); ++place) {
    Sums& sums = at_place_[place];
    const double cost = costs_[place];
    if (cost > 0) sums.speed += sign * least * (least / cost);
    if (cost > kSameCost * least) continue;
    if (sign > 0)
      sums.by_upward_rank.add(task.level, cost / cheapest_places);
    else
      sums.by_upward_rank.remove(task.level, cost / cheapest_places);
  }
  weight_ += sign * least;
  if (buckets_.size() == 0) {  // no rounding errors pile up
    weight_ = 0;
    for (Sums& sums : at_place_) sums.speed = 0;
  }
}

}  // namespace starpath
