// When a task would begin and end at a place, and what it costs there.
#include "sched_policies/apex/forecast.hpp"

#include <algorithm>
#include <limits>

#include "sched_policies/apex/numbers.hpp"

namespace starpath {

Forecast::Forecast(PolicyEnvironment with)
    : environment(with), places(with.machine), times(with.machine.workers()), links_(places.size()) {}

double Forecast::arrival(const CostedTask& task, PlaceId place, double now) {
  if (task.fetched == place) return std::max(links_.done_at(place, task.started.position, now), task.ready);
  const double copy = places.copy(task, place), ready = now + allocation(task, place);
  const double more = task.waiting && task.place == place ? 0 : copy;  // its copies are planned there already
  return copy > 0 ? std::max(links_.done(place, more, now), ready) : ready;
}

double Forecast::begins(const CostedTask& task, PlaceId place, double ahead, double now) const {
  double first = std::numeric_limits<double>::infinity();
  for (const WorkerId worker : places[place].workers) {
    if (!places.present(worker) || !environment.eligibility.contains(task.task->group, worker)) continue;
    first = std::min(first, times.free_at(worker, now));
  }
  // Without a worker for it, no worker at all may be present.
  return first == std::numeric_limits<double>::infinity() ? first
                                                          : first + ahead / static_cast<double>(places[place].present);
}

/// As many others as are known, at least one that will use its results, and on each link that copies now.
double Forecast::delays(const CostedTask& task, PlaceId place, std::size_t known) const {
  const double others = std::max(1.0, static_cast<double>(known) - 1);
  return copies(task, place) * std::min(kNumbers.delays, others) * links_.busy();
}

double Forecast::price(const CostedTask& task, PlaceId place, std::span<const double> rates) const {
  if (rates.empty()) return 0;
  return rates[places[place].id] * places.seconds(task, place) +
         rates.back() * places.copies(task, place) * links_.scale();
}

double Forecast::start_copies(CostedTask& task, PlaceId place, double now) {
  const double arrives = arrival(task, place, now);
  if (task.fetched == place) return arrives;
  const double copy = places.copy(task, place), back = places.back(task, place);
  task.ready = now + allocation(task, place);
  task.started = copy > 0 || back > 0 ? links_.start(place, copy, back, now) : StartedCopies{};
  return arrives;
}

void Forecast::finished(WorkerId worker, const WorkerTimes::Taken& taken, std::optional<double> ran, double now) {
  if (!ran) return;
  links_.began(places.of(worker), taken.copies, *ran, now - *ran - taken.since, now);
  allocations_.expected(taken.allocation);
}

}  // namespace starpath
