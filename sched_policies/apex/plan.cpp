// Where and in which order queued tasks will run, as far as is known.
#include "sched_policies/apex/plan.hpp"

#include <algorithm>
#include <array>

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Plan::Plan(Forecast& forecast)
    : prices(forecast.environment.machine),
      forecast_(forecast),
      places_(forecast.places),
      eligibility_(forecast.environment.eligibility),
      queues_(places_.size()),
      candidates_(forecast.environment.machine.classes().size()) {}

double Plan::deadline(const CostedTask& task, double now) const {
  if (streams() || task.tail <= 0 || outstanding.waiting == nullptr) return now + outstanding.seconds;
  const double with_its_chain = outstanding.waiting->before(WorkByUpwardRank::level(task.tail));
  return now + std::min(outstanding.seconds - task.tail, with_its_chain);
}

/// Seconds of the tasks that are planned at a place beside this one. Those do not count whose chains would end before
/// its own one even if they began after all known work: they can wait.
double Plan::ahead(const CostedTask& task, PlaceId place) const {
  const PlaceQueue& queue = queues_[place];
  const double shorter = task.tail - outstanding.seconds;
  const bool some_wait = shorter > 0 && !streams() && !plenty(size_);
  return (some_wait ? queue.work(shorter) : queue.work()) - (task.waiting && task.place == place ? task.work : 0);
}

/// Where a task waits while no worker that may run it is there: at the place of one.
PlaceId Plan::without_workers(const CostedTask& task) const {
  const auto may_run = [&](WorkerId worker) { return eligibility_.contains(task.task->group, worker); };
  for (PlaceId place = 0; place < places_.size(); ++place)
    if (std::ranges::any_of(places_[place].workers, may_run)) return place;
  return 0;
}

/// Fills `candidates_`.
Candidate Plan::choose(const CostedTask& task, double now) {
  std::ranges::fill(candidates_, Candidate{});
  const auto rates = prices.prices(forecast_.bus_width());
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (places_[place].present == 0 || places_.seconds(task, place) == kInfinity) continue;
    const double begin = forecast_.begins(task, place, ahead(task, place), now);
    if (begin == kInfinity) continue;
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

void Plan::ready(const CostedTask& task, const ClassSeconds& seconds) {
  std::array<double, kMaxDeviceClasses> copies;
  copies.fill(kInfinity);
  for (PlaceId place = 0; place < places_.size(); ++place) {
    double& least = copies[places_[place].id];
    least = std::min(least, forecast_.copies(task, place));
  }
  prices.ready(seconds, std::span(copies).first(candidates_.size()));
}

void Plan::set_tail(CostedTask& task, double tail) const {
  const bool one_memory = places_.size() == 1 && places_[0].memory == 0;  // so that only the order is to be chosen
  const std::uint32_t rank = rank_of(tail + *std::ranges::min_element(task.seconds));
  task.tail = tail;
  task.urgency = {.critical = critical(tail) ? rank : 0,
                  .priority = task.task->priority,
                  .rank = one_memory && !streams() ? rank : 0};
}

void Plan::insert(CostedTask& task, double now) { plan(task, choose(task, now)); }

void Plan::plan(CostedTask& task, const Candidate& chosen) {
  task.place = chosen.place;
  task.work = chosen.work();
  put_back(task);
}

void Plan::put_back(CostedTask& task) {
  task.waiting = true;
  task.urgency.local = places_.copy(task, task.place) <= 0;
  task.planned = static_cast<float>(places_.copies(task, task.place));
  queues_[task.place].insert(task);
  forecast_.set_planned(task.place, queues_[task.place].copies());
  ++size_;
}

void Plan::remove(CostedTask& task) {
  task.waiting = false;
  queues_[task.place].remove(task);
  forecast_.set_planned(task.place, queues_[task.place].copies());
  --size_;
}

void Plan::renew(double now, bool always) {
  const double known = outstanding.seconds;
  if (!always && known <= 2 * planned_for_ && 2 * known >= planned_for_) return;
  planned_for_ = known;
  if (size_ == 0 || (!always && size_ > kNumbers.renewed)) return;
  std::vector<CostedTask*> tasks;
  tasks.reserve(size_);
  for (PlaceQueue& queue : queues_) {
    while (CostedTask* const task = queue.any()) {
      remove(*task);
      set_tail(*task, task->tail);
      tasks.push_back(task);
    }
  }
  std::ranges::sort(tasks, [](const CostedTask* a, const CostedTask* b) { return PlaceQueue::goes_before(*a, *b); });
  for (CostedTask* const task : tasks) {
    const Candidate chosen = choose(*task, now);
    const Places::Place& before = places_[task->place];
    const bool there = before.present > 0 && places_.copies(*task, task->place) <= 0;  // its data, or on the way
    if (there && !candidates_[before.id].too_dear)
      put_back(*task);
    else
      plan(*task, chosen);
  }
}

Plan::Found Plan::take(WorkerId worker, double now) {
  CostedTask* const own = first(worker);
  return own != nullptr ? Found{.task = own} : sooner_here(worker, now);
}

void Plan::plan_next(WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  if (queues_[here].size() > 0) return;
  CostedTask* const task = sooner_here(worker, now).task;
  if (task == nullptr || task->fetched != kNowhere || places_.copies(*task, here) <= 0) return;
  remove(*task);
  const double begin = forecast_.times.free_at(worker, now);
  plan(*task, {.begin = begin, .finish = end(*task, here, begin, now), .place = here});
}

/// Of the tasks elsewhere that the worker would finish sooner, the cheapest here beside there.
Plan::Found Plan::sooner_here(WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  Found found;
  double least = kInfinity;
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

}  // namespace starpath
