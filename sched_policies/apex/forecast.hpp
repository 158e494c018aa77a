// When a task would begin and end at a place, and what it costs there.
#pragma once
#include <optional>
#include <span>

#include "sched_policies/apex/allocation_share.hpp"
#include "sched_policies/apex/links.hpp"
#include "sched_policies/apex/places.hpp"
#include "sched_policies/apex/worker_times.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// What is known of workers, links and memory, brought together for one task at one place. It knows no queues: who asks
/// says how much work goes before the task. It hears of all copies that start and of all tasks that end. Times are
/// seconds of the caller's clock, costs are seconds. Not thread-safe.
class Forecast {
 public:
  explicit Forecast(PolicyEnvironment with);

  /// When the task's input and its memory would be at the place.
  double arrival(const CostedTask& task, PlaceId place, double now);
  /// When one of the place's workers that may run the task would begin it, after `ahead` seconds of others that all
  /// workers of the place share; infinite without such a worker.
  double begins(const CostedTask& task, PlaceId place, double ahead, double now) const;
  /// Copies to the place and home; 0 once they were started.
  double copies(const CostedTask& task, PlaceId place) const { return places.copies(task, place) * links_.scale(); }
  /// What these copies cost others: `known` tasks are known with this one.
  double delays(const CostedTask& task, PlaceId place, std::size_t known) const;
  /// Of the time of a worker and of the bus. `rates`: as ClassPrices::prices; 0 without any.
  double price(const CostedTask& task, PlaceId place, std::span<const double> rates) const;
  /// How many links can copy at full speed at the same time.
  double bus_width() const { return links_.width(); }

  /// Estimated seconds of the copies to a place that will start later, all of them.
  void set_planned(PlaceId place, double copies) { links_.set_planned(place, copies); }
  /// The task's copies to the place start now, unless they were started before. Returns when its input should be there.
  double start_copies(CostedTask& task, PlaceId place, double now);
  /// Seconds to allocate all main memory that is allocated now.
  void allocated(double seconds) { allocations_.allocated(seconds); }
  /// What was taken ended; `ran`: as PlanningPolicy::finished has it.
  void finished(WorkerId worker, const WorkerTimes::Taken& taken, std::optional<double> ran, double now);

  const PolicyEnvironment environment;
  Places places;
  WorkerTimes times;

 private:
  double allocation(const CostedTask& task, PlaceId place) const {
    return places.allocation(task, place) * allocations_.value();
  }

  Links links_;
  AllocationShare allocations_;
};

}  // namespace starpath
