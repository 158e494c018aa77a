// When a task would begin and end at a place, and what it costs there.
#pragma once
#include <algorithm>
#include <limits>
#include <span>

#include "sched_policies/apex/links.hpp"
#include "sched_policies/apex/numbers.hpp"
#include "sched_policies/apex/places.hpp"
#include "sched_policies/apex/worker_times.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Says when a task would begin and end at a place, from what is known of workers, links and memory. It knows no
/// queues: the caller says how much work goes before the task. It hears of all copies that start and of all tasks that
/// end. Times are seconds of the caller's clock, costs are seconds. Not thread-safe.
class Forecast {
 public:
  explicit Forecast(PolicyEnvironment with)
      : environment(with), places(with.machine), times(with.machine.workers()), links_(places.size()) {}

  /// When the task's input and the memory that it comes through would be at the place.
  double arrival(const CostedTask& task, PlaceId place, double now) {
    if (task.fetched == place) return std::max(links_.done_at(place, task.started.position, now), task.ready);
    const double copy = places.copy(task, place), ready = now + places.allocation(task, place);
    return copy > 0 ? std::max(links_.done(place, copy, now), ready) : ready;
  }

  /// When one of the place's workers that may run the task would begin it, after `ahead` seconds of others that all
  /// workers of the place share; infinite without such a worker.
  double begins(const CostedTask& task, PlaceId place, double ahead, double now) const {
    double first = std::numeric_limits<double>::infinity();
    for (const WorkerId worker : places[place].workers) {
      if (!places.present(worker) || !environment.eligibility.contains(task.task->group, worker)) continue;
      first = std::min(first, times.free_at(worker, now));
    }
    // Without a worker for it, no worker at all may be present.
    if (first == std::numeric_limits<double>::infinity()) return first;
    return first + ahead / static_cast<double>(places[place].present);
  }

  /// Copies to the place and home; 0 once they were started.
  double copies(const CostedTask& task, PlaceId place) const { return places.copies(task, place) * links_.scale(); }
  /// What these copies cost other tasks: those that wait on each link that copies now, and at least the task that uses
  /// the results.
  double delays(const CostedTask& task, PlaceId place) const {
    return copies(task, place) * std::max(1.0, kNumbers.delays * links_.busy());
  }
  /// Of the time of a worker and of the bus. `rates`: as ClassPrices::prices; 0 without any.
  double price(const CostedTask& task, PlaceId place, std::span<const double> rates) const {
    if (rates.empty()) return 0;
    return rates[places[place].id] * places.seconds(task, place) + rates.back() * copies(task, place);
  }
  /// How many links can copy at full speed at the same time.
  double bus_width() const { return links_.width(); }

  /// Estimated seconds of the copies to a place that will start later, all of them.
  void set_planned(PlaceId place, double copies) { links_.set_planned(place, copies); }
  /// The task's copies to the place start now, unless they were started before. Returns when its input should be there.
  double start_copies(CostedTask& task, PlaceId place, double now) {
    const double arrives = arrival(task, place, now);
    if (task.fetched == place) return arrives;
    const double copy = places.copy(task, place), back = places.back(task, place);
    task.ready = now + places.allocation(task, place);
    task.started = copy > 0 || back > 0 ? links_.start(place, copy, back, now) : StartedCopies{};
    if (task.ready > now) task.started.alone = 0;  // what waits for memory shows nothing of a link
    return arrives;
  }
  /// What was taken ended after it ran for so many seconds, its copies not counted.
  void ran(WorkerId worker, const WorkerTimes::Taken& taken, double seconds, double now) {
    links_.began(places.of(worker), taken.copies, seconds, now - seconds - taken.since, now);
  }

  const PolicyEnvironment environment;
  Places places;
  WorkerTimes times;

 private:
  Links links_;
};

}  // namespace starpath
