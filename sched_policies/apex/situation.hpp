// What both rules of apex look at: the workers, the queued tasks, and how long all known work takes.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "sched_policies/apex/class_prices.hpp"
#include "sched_policies/apex/estimate_errors.hpp"
#include "sched_policies/apex/places.hpp"
#include "sched_policies/apex/queued_work.hpp"
#include "sched_policies/apex/refusals.hpp"
#include "sched_policies/apex/worker_times.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/outstanding.hpp"

namespace starpath {

/// Finish times within this factor count as equal.
inline constexpr double kSameFinish = 1.02;
/// A task may cost this many times as much, in prices, as at its home.
inline constexpr double kMostOverHome = 2;
/// No task is left to others for longer than this many times what the known work takes.
inline constexpr double kPatience = 8;

/// The home of a task: the place where its cost times the price of the class is least.
struct Home {
  PlaceId place = 0;
  double least = std::numeric_limits<double>::infinity();    ///< that product
  double other = std::numeric_limits<double>::infinity();    ///< the least product of other classes than the asker's
  double fastest = std::numeric_limits<double>::infinity();  ///< its lowest cost
  PlaceId quickest = 0;                                      ///< where its cost is lowest
};

/// The state that decisions are made from. Times are seconds of the caller's clock. Not thread-safe.
///
/// Terms, all in seconds from now:
///   - The *known work* takes as long as the longest chain, or, if that is longer, as the whole machine needs for all
///     known tasks.
///   - The *horizon* is when all should be done: the known work, and the share of future work that replaces what ends.
///   - A task is *in time* at a place if it can end there, and the tasks that wait for it can end, within the horizon.
///   - A task is *critical* if a known task waits for it and its upward rank is at least half of the horizon.
struct Situation {
  explicit Situation(PolicyEnvironment with);
  Situation(const Situation&) = delete;
  Situation& operator=(const Situation&) = delete;

  /// Call first in each decision: sets `rates`, `long_chain` and `horizon`.
  void update(double now);
  /// Nothing was queued and no worker had anything to finish: what is queued next is another graph.
  void begin_anew();

  /// When the worker can begin another task; after the one that it reserved.
  double free_at(WorkerId worker, double now) const;
  /// When the worker would finish the task.
  double finish_here(const CostedTask& task, WorkerId worker, double now) const;
  /// The run time to plan with, which allows for wrong estimates.
  double guarded_seconds(const CostedTask& task, PlaceId place) const;
  bool critical(const CostedTask& task) const;

  /// Cost times the price of the class. Only while `rates` is not empty, as the next one.
  double price(const CostedTask& task, PlaceId place) const {
    return rates[places[place].id] * places.cost(task, place);
  }
  /// `here`: where the asker is. Other places count if a worker there may run the task and will ask.
  Home home_of(const CostedTask& task, PlaceId here) const;

  /// When the tasks that wait for this one are done, if it ends at `finish` and they take `stretch` times as long as
  /// alone.
  static double chain_end(const CostedTask& task, double finish, double stretch) {
    return finish + stretch * (task.upward_rank - task.least);
  }
  /// Whether the task is in time if it ends at `finish`.
  bool in_time(const CostedTask& task, double finish, double now) const;
  /// Whether it is in time if it begins at the place at once.
  bool in_time_at(PlaceId place, const CostedTask& task, double now) const;

  /// Whether the task was left for too long to others, who need `seconds` for it.
  bool late(const CostedTask& task, double now, double seconds) const;
  /// Notes that the task is left to others; false: for too long, so it must not be left.
  bool leave(CostedTask& task, double now, double seconds) const;

  PolicyEnvironment environment;
  Places places;
  WorkerTimes times;
  EstimateErrors errors;
  ClassPrices prices;
  QueuedWork queued;
  Refusals refusals;
  std::vector<CostedTask*> reserved;  // by worker; nullptr: none
  Outstanding outstanding;
  double began = -1;  // of the current graph; below 0: no worker has asked yet

  // Of the decision at hand.
  std::span<const double> rates;  // price of a second, by class; empty: not known
  bool long_chain = false;        // a chain takes so much of the known work that it decides
  double horizon = 0;

 private:
  bool may_take(const CostedTask& task, const Places::Place& place) const;

  double widest_ = 0;  // the longest that the known work of the current graph took
};

}  // namespace starpath
