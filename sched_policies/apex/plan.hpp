// Where and in which order queued tasks will run, as far as is known.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "sched_policies/apex/candidate.hpp"
#include "sched_policies/apex/forecast.hpp"
#include "sched_policies/apex/numbers.hpp"
#include "sched_policies/apex/place_queue.hpp"
#include "sched_policies/planning/class_prices.hpp"
#include "sched_policies/planning/outstanding.hpp"

namespace starpath {

/// Each queued task waits at one place, which runs the most urgent of its tasks first. The rules:
/// docs/policies/apex.md. Times are seconds of the caller's clock. Not thread-safe.
class Plan {
 public:
  explicit Plan(Forecast& forecast);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Its copies count in the prices; before it is inserted for the first time. `seconds`: as estimated.
  void ready(const CostedTask& task, const ClassSeconds& seconds);
  void insert(CostedTask& task, double now);
  void remove(CostedTask& task);
  /// Back to the place that it was removed from.
  void put_back(CostedTask& task);
  /// Plans the waiting tasks again, if the known work has doubled or halved since that was last done, or if `always`.
  /// Those whose data are at their place, or on the way, stay there, unless its class is too dear for them.
  void renew(double now, bool always = false);

  /// The most urgent task that is planned at the worker's place and that it may run; nullptr: none.
  CostedTask* first(WorkerId worker) { return queues_[places_.of(worker)].first(worker, eligibility_); }

  /// What there is for a worker that asks.
  struct Found {
    CostedTask* task = nullptr;                              ///< nullptr: none
    double until = std::numeric_limits<double>::infinity();  ///< when the first of those left to others should end
  };
  /// The first of its place, or one that it would finish sooner than others.
  Found take(WorkerId worker, double now);
  /// If nothing is planned at the worker's place, plans there what it would take next, so that its copies start while
  /// the worker is busy.
  void plan_next(WorkerId worker, double now);

  /// The most urgent task of the place whose copies should start; nullptr: none.
  CostedTask* to_fetch(PlaceId place) { return queues_[place].first_remote(); }

  /// Whether new work replaces most of what ends, as with programs that keep a fixed number of tasks in flight. Such
  /// work has no end to plan for, so tails do not count: the oldest task goes first.
  bool streams() const { return outstanding.replaced > kNumbers.replaced; }
  /// Whether a chain has to begin soon. One that is short beside the known work can wait, and in the order of
  /// submission data are soon used, so memory is free again.
  bool critical(double tail) const { return !streams() && tail > kNumbers.critical * outstanding.seconds; }
  /// Of a task's copies: the longest tail first, whether critical or not, then as the application says.
  int copy_priority(const CostedTask& task) const {
    const auto rank = streams() ? 0 : static_cast<int>(rank_of(task.tail));
    return rank > 0 ? std::numeric_limits<int>::max() - kHighestRank + rank : task.task->priority;
  }
  /// Of a task that is in no queue.
  void set_tail(CostedTask& task, double tail) const;
  std::size_t size() const { return size_; }
  /// Whether so many tasks are queued that a decision about each would cost more than it can gain.
  bool plenty(std::size_t tasks) const { return tasks >= kNumbers.plenty * places_.workers(); }

  ClassPrices prices;
  Outstanding outstanding;

 private:
  double deadline(const CostedTask& task, double now) const;
  double ahead(const CostedTask& task, PlaceId place) const;
  /// When the task would end at a place where a worker could begin it.
  double end(const CostedTask& task, PlaceId place, double begin, double now) {
    return std::max(begin, forecast_.arrival(task, place, now)) + places_.seconds(task, place);
  }
  /// When it would end if the worker took it now, and what its copies delay.
  double end_here(const CostedTask& task, WorkerId worker, double now) {
    const PlaceId here = places_.of(worker);
    return end(task, here, forecast_.times.free_at(worker, now), now) + forecast_.delays(task, here);
  }
  Found sooner_here(WorkerId worker, double now);
  PlaceId without_workers(const CostedTask& task) const;
  Candidate choose(const CostedTask& task, double now);
  void plan(CostedTask& task, const Candidate& chosen);

  Forecast& forecast_;
  const Places& places_;
  const EligibilityTable& eligibility_;
  std::vector<PlaceQueue> queues_;     // by place
  std::vector<Candidate> candidates_;  // by class, of the task that is being planned
  double planned_for_ = 0;             // Outstanding::seconds when all was planned
  std::size_t size_ = 0;
};

}  // namespace starpath
