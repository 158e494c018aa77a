// The plan: the choice of a place for a task, and of a task for a worker that has none at its place.
#include <algorithm>
#include <array>

#include "sched_policies/apex/plan.hpp"

namespace starpath {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

/// When the machine would come to the tasks that wait for this one.
double Plan::deadline(const CostedTask& task, double now) const {
  if (streams() || task.tail <= 0 || outstanding_.waiting == nullptr) return now + outstanding_.seconds;
  const double with_its_chain = outstanding_.waiting->before(WorkByUpwardRank::level(task.tail));
  return now + std::min(outstanding_.seconds - task.tail, with_its_chain);
}

/// Seconds of the other tasks that are planned at a place. A task does not count if its chain would end before that of
/// this one even if it began after all known work: it can wait.
double Plan::ahead(const CostedTask& task, PlaceId place) const {
  const PlaceQueue& queue = queues_[place];
  const double shorter = task.tail - outstanding_.seconds;
  const bool some_wait = shorter > 0 && !streams() && !plenty(queued_);
  return (some_wait ? queue.work(shorter) : queue.work()) - (task.waiting && task.place == place ? task.work : 0);
}

/// When the task would end at a place where a worker could begin it.
double Plan::end(const CostedTask& task, PlaceId place, double begin, double now) {
  return std::max(begin, forecast_.arrival(task, place, now)) + places_.seconds(task, place);
}

/// When it would end if the worker took it now, and what its copies delay.
double Plan::end_here(const CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  return end(task, here, forecast_.times.free_at(worker, now), now) + forecast_.delays(task, here);
}

/// Where a task waits while no worker that may run it is there: at the place of one.
PlaceId Plan::without_workers(const CostedTask& task) const {
  const auto may_run = [&](WorkerId worker) { return eligibility_.contains(task.task->group, worker); };
  for (PlaceId place = 0; place < places_.size(); ++place)
    if (std::ranges::any_of(places_[place].workers, may_run)) return place;
  return 0;
}

/// `urgent` itself, unless the memory of its place is short. Then the usable tasks there are compared that are as
/// critical and have the same priority: the one whose data miss the fewest bytes there wins, the most urgent of equals.
template <class Usable>
CostedTask* Plan::least_missing(CostedTask* urgent, PlaceId place, Usable usable) {
  const MemoryId memory = places_[place].memory;
  if (urgent == nullptr || memory == 0 || presence_ == nullptr || !presence_->short_of_room(memory)) return urgent;
  CostedTask* best = urgent;
  double least = presence_->missing(*urgent->task, memory);
  queues_[place].each_first(kNumbers.compared, [&](CostedTask& task) {
    if (task.urgency.critical != urgent->urgency.critical || task.urgency.priority != urgent->urgency.priority) return;
    if (!usable(task)) return;
    const double missing = presence_->missing(*task.task, memory);
    if (missing > least || (missing == least && !PlaceQueue::goes_before(task, *best))) return;
    best = &task;
    least = missing;
  });
  return best;
}

/// What the worker's place runs first.
CostedTask* Plan::first(WorkerId worker) {
  const PlaceId here = places_.of(worker);
  return least_missing(queues_[here].first(worker, eligibility_), here,
                       [&](const CostedTask& task) { return eligibility_.contains(task.task->group, worker); });
}

/// Whose copies should start first.
CostedTask* Plan::first_remote(PlaceId place) {
  return least_missing(queues_[place].first_remote(), place,
                       [&](const CostedTask& task) { return !task.urgency.local && queues_[place].has_room(task); });
}

/// A place for the task. Where there is one place alone, there is nothing to forecast.
Candidate Plan::choose(const CostedTask& task, double now) {
  return places_.size() > 1 ? choose_among_places(task, now) : Candidate{.begin = 0, .finish = 0, .place = 0};
}

/// Fills `candidates_`.
Candidate Plan::choose_among_places(const CostedTask& task, double now) {
  std::ranges::fill(candidates_, Candidate{});
  const auto rates = prices_.prices(forecast_.bus_width());
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (places_[place].present == 0 || places_.seconds(task, place) == kNever) continue;
    const double begin = forecast_.begins(task, place, ahead(task, place), now);
    if (begin == kNever) continue;
    const double finish = end(task, place, begin, now);
    const Candidate found{.begin = begin,
                          .finish = finish,
                          .rated = finish + forecast_.delays(task, place) - now,
                          .price = forecast_.price(task, place, rates),
                          .place = place};
    Candidate& candidate = candidates_[places_[place].id];
    if (found.before(candidate)) candidate = found;
  }
  const Candidate chosen = choose_place(candidates_, deadline(task, now), now);
  if (chosen.possible()) return chosen;
  return {.begin = 0, .finish = 0, .place = without_workers(task)};
}

/// Of the tasks elsewhere that the worker would finish sooner, the cheapest here beside there.
Plan::Found Plan::sooner_here(WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  Found found;
  double least = kNever;
  for (PlaceId there = 0; there < places_.size(); ++there) {
    if (there == here || queues_[there].size() == 0) continue;
    queues_[there].each_last(worker, eligibility_, [&](CostedTask& task) {
      const double end_there = end(task, there, forecast_.begins(task, there, ahead(task, there), now), now);
      if (end_here(task, worker, now) >= end_there) {
        found.until = std::min(found.until, end_there);
        return;
      }
      const double cost = places_.seconds(task, here) + forecast_.delays(task, here);
      const double ratio = cost / std::max(places_.seconds(task, there), 1e-12);
      if (found.task != nullptr && ratio >= least) return;
      least = ratio;
      found.task = &task;
    });
  }
  return found;
}

/// The copies of a task that has become ready count in the prices. `seconds`: its run times as they were estimated.
void Plan::count_copies(const CostedTask& task, const ClassSeconds& seconds) {
  if (places_.size() == 1) return;  // there are no prices
  std::array<double, kMaxDeviceClasses> copies;
  copies.fill(kNever);
  for (PlaceId place = 0; place < places_.size(); ++place) {
    double& least = copies[places_[place].id];
    least = std::min(least, forecast_.copies(task, place));
  }
  prices_.ready(seconds, std::span(copies).first(candidates_.size()));
}

}  // namespace starpath
