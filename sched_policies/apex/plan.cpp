// Where and in which order queued tasks will run, as far as is known.
#include "sched_policies/apex/plan.hpp"

#include <algorithm>
#include <array>

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Plan::Plan(PolicyEnvironment with)
    : environment(with),
      places(with.machine),
      times(with.machine.workers()),
      prices(with.machine),
      queues_(places.size()),
      options_(with.machine.classes().size()),
      links_(places.size()) {}

/// What the task's copies to the place and home cost others: as many as are known, at least what will use its results,
/// and on each link that copies now.
double Plan::delays(const CostedTask& task, PlaceId place) const {
  const double others = std::max(1.0, static_cast<double>(outstanding.tasks) - 1);
  return places.copies(task, place) * links_.scale() * std::min(kNumbers.delays, others) * links_.busy();
}

/// When the task's input would be at the place.
double Plan::arrival(const CostedTask& task, PlaceId place, double now) {
  if (task.fetched == place) return std::max(links_.done_at(place, task.started.position, now), task.ready);
  const double copy = places.copy(task, place), ready = now + allocation(task, place);
  const double more = task.waiting && task.place == place ? 0 : copy;  // its copies are planned there already
  return copy > 0 ? std::max(links_.done(place, more, now), ready) : ready;
}

double Plan::start_copies(CostedTask& task, PlaceId place, double now) {
  const double arrives = arrival(task, place, now);
  if (task.fetched == place) return arrives;
  const double copy = places.copy(task, place), back = places.back(task, place);
  task.ready = now + allocation(task, place);
  task.started = copy > 0 || back > 0 ? links_.start(place, copy, back, now) : StartedCopies{};
  return arrives;
}

void Plan::finished(WorkerId worker, const WorkerTimes::Taken& taken, std::optional<double> ran, double now) {
  if (!ran) return;
  links_.began(places.of(worker), taken.copies, *ran, now - *ran - taken.since, now);
  allocations.expected(taken.allocation);
}

/// Of the time of a worker and of the way to main memory; 0 without prices.
double Plan::price(const CostedTask& task, PlaceId place, std::span<const double> rates) const {
  if (rates.empty()) return 0;
  return rates[places[place].id] * places.seconds(task, place) +
         rates.back() * places.copies(task, place) * links_.scale();
}

/// When one of the place's workers that may run the task can begin another; infinite without any.
double Plan::first_free(const CostedTask& task, PlaceId place, double now) const {
  double first = kInfinity;
  for (const WorkerId worker : places[place].workers) {
    if (!places.present(worker) || !environment.eligibility.contains(task.task->group, worker)) continue;
    first = std::min(first, times.free_at(worker, now));
  }
  return first;
}

/// When the place comes to the task, after `ahead` seconds of others.
double Plan::begins(const CostedTask& task, PlaceId place, double ahead, double now) const {
  const double first = first_free(task, place, now);
  return first == kInfinity ? first : first + ahead / static_cast<double>(places[place].present);
}

double Plan::deadline(const CostedTask& task, double now) const {
  if (streams()) return now + outstanding.seconds - task.tail;
  if (task.tail <= 0 || outstanding.waiting == nullptr) return now + outstanding.seconds;
  return now + outstanding.waiting->before(WorkByUpwardRank::level(task.tail));
}

/// Where a task waits while no worker that may run it is there: at the place of one.
PlaceId Plan::without_workers(const CostedTask& task) const {
  const auto may_run = [&](WorkerId worker) { return environment.eligibility.contains(task.task->group, worker); };
  for (PlaceId place = 0; place < places.size(); ++place)
    if (std::ranges::any_of(places[place].workers, may_run)) return place;
  return 0;
}

Plan::Option Plan::choose(const CostedTask& task, double now) {
  std::ranges::fill(options_, Option{});
  const auto rates = prices.prices(links_.width());
  for (PlaceId place = 0; place < places.size(); ++place) {
    const double seconds = places.seconds(task, place);
    if (places[place].present == 0 || seconds == kInfinity) continue;
    const double begin = begins(task, place, queues_[place].work(), now);
    if (begin == kInfinity) continue;
    const double finish = std::max(begin, arrival(task, place, now)) + seconds;
    const Option found{.finish = finish,
                       .rated = finish + delays(task, place) - now,
                       .begin = begin,
                       .price = price(task, place, rates),
                       .place = place};
    Option& option = options_[places[place].id];
    if (found.before(option)) option = found;
  }
  const double due = deadline(task, now);
  Option cheapest;
  for (const Option& option : options_)
    if (option.finish <= due && option.cheaper(cheapest)) cheapest = option;
  Option best;
  for (Option& option : options_) {
    option.too_dear = cheapest.price < kInfinity && option.price > kNumbers.too_dear * cheapest.price;
    if (!option.too_dear && option.before(best)) best = option;
  }
  if (best.begin == kInfinity) return {.finish = 0, .begin = 0, .place = without_workers(task)};
  return cheapest.begin <= now && now + cheapest.rated <= due ? cheapest : best;
}

void Plan::ready(const CostedTask& task, const ClassSeconds& seconds) {
  std::array<double, kMaxDeviceClasses> copies;
  copies.fill(kInfinity);
  for (PlaceId place = 0; place < places.size(); ++place) {
    double& least = copies[places[place].id];
    least = std::min(least, places.copies(task, place) * links_.scale());
  }
  prices.ready(seconds, std::span(copies).first(options_.size()));
}

void Plan::insert(CostedTask& task, double now) {
  const Option chosen = choose(task, now);
  task.place = chosen.place;
  task.work = chosen.work();
  put_back(task);
}

void Plan::put_back(CostedTask& task) {
  task.waiting = true;
  task.urgency.local = places.copy(task, task.place) <= 0;
  task.planned = static_cast<float>(places.copies(task, task.place));
  queues_[task.place].insert(task);
  links_.set_planned(task.place, queues_[task.place].copies());
  ++size_;
}

void Plan::remove(CostedTask& task) {
  task.waiting = false;
  queues_[task.place].remove(task);
  links_.set_planned(task.place, queues_[task.place].copies());
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
      task->set_tail(task->tail, ranked(*task, task->tail));
      tasks.push_back(task);
    }
  }
  std::ranges::sort(tasks, [](const CostedTask* a, const CostedTask* b) { return PlaceQueue::goes_before(*a, *b); });
  for (CostedTask* const task : tasks) {
    const Option chosen = choose(*task, now);
    const Places::Place& before = places[task->place];
    // Else it stays: its data are there, or on the way.
    if (before.present == 0 || options_[before.id].too_dear) {
      task->place = chosen.place;
      task->work = chosen.work();
    }
    put_back(*task);
  }
}

CostedTask* Plan::before(CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = places.of(worker);
  if (task.fetched != here) return &task;
  const double until = now + kNumbers.meanwhile * (arrival(task, here, now) - now);
  if (until <= now) return &task;
  CostedTask* best = &task;
  queues_[here].each_first(worker, environment.eligibility, [&](CostedTask& other) {
    if (!other.urgency.local || now + places.seconds(other, here) > until || arrival(other, here, now) > now) return;
    if (best == &task || PlaceQueue::goes_before(other, *best)) best = &other;
  });
  return best;
}

CostedTask* Plan::first_anywhere(WorkerId worker) {
  CostedTask* best = nullptr;
  for (PlaceQueue& queue : queues_) {
    CostedTask* const task = queue.first(worker, environment.eligibility);
    if (task != nullptr && (best == nullptr || PlaceQueue::goes_before(*task, *best))) best = task;
  }
  return best;
}

/// Whether the worker leaves the task, which is the last of its kind at another place. Updates `found.until` if so.
bool Plan::leaves(CostedTask& task, WorkerId worker, PlaceId there, double now, Elsewhere& found) {
  const PlaceId here = places.of(worker);
  const double begin = begins(task, there, queues_[there].work() - task.work, now);
  const double end_there = std::max(begin, arrival(task, there, now)) + places.seconds(task, there);
  const double end_here = std::max(times.free_at(worker, now), arrival(task, here, now)) + places.seconds(task, here);
  if (end_here + delays(task, here) < end_there) return false;
  found.until = std::min(found.until, end_there);
  return true;
}

Plan::Elsewhere Plan::sooner_here(WorkerId worker, double now) {
  const PlaceId here = places.of(worker);
  Elsewhere found;
  double least = kInfinity;
  for (PlaceId there = 0; there < places.size(); ++there) {
    if (there == here || queues_[there].size() == 0) continue;
    queues_[there].each_last(worker, environment.eligibility, [&](CostedTask& task) {
      if (leaves(task, worker, there, now, found)) return;
      const double cost = places.seconds(task, here) + delays(task, here);
      const double ratio = cost / std::max(places.seconds(task, there), 1e-12);
      if (found.task != nullptr && ratio >= least) return;
      least = ratio;
      found.task = &task;
    });
  }
  return found;
}

}  // namespace starpath
