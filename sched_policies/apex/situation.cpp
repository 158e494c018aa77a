// What both rules of apex look at.
#include "sched_policies/apex/situation.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kCriticalShare = 0.5;    // of the horizon, from which on a task is critical
constexpr double kLongChainShare = 0.45;  // of the known work, from which on a chain is long
constexpr double kOverrun = 0.1;          // of the time so far: how much longer all may take if no more tasks follow
constexpr double kChainStretch = 3;       // times as long as a chain alone takes: its tasks wait for workers too

}  // namespace

Situation::Situation(PolicyEnvironment with)
    : environment(with),
      places(with.machine),
      times(with.machine.workers()),
      prices(with.machine),
      queued(places),
      refusals(with.machine.workers()),
      reserved(with.machine.workers()) {}

void Situation::begin_anew() {
  widest_ = 0;
  began = -1;
  times.begin_anew();
}

void Situation::update(double now) {
  if (began < 0) began = now;
  rates = prices.prices();
  double chains = 0;  // the longest chain of more than one task
  double longest = 0;
  for (WorkerId worker = 0; worker < places.workers(); ++worker) {
    if (!places.present(worker) || times.idle(worker)) continue;
    const double chain = times.chain_ends(worker, now) - now;
    longest = std::max(longest, chain);
    if (times.awaited(worker)) chains = std::max(chains, chain);
  }
  const CostBuckets& buckets = queued.buckets();
  for (std::size_t slot = 0; slot < buckets.filled(); ++slot) {
    const CostedTask& first = buckets[slot].highest();
    longest = std::max(longest, first.upward_rank);
    if (first.upward_rank > first.least) chains = std::max(chains, first.upward_rank);
  }
  const double known = std::max(longest, outstanding.seconds);
  long_chain = chains >= kLongChainShare * known;
  const double more = chains + (long_chain ? 0 : kOverrun * (now - began));
  horizon = known + outstanding.replaced * more;
  widest_ = std::max(widest_, known);
}

double Situation::free_at(WorkerId worker, double now) const {
  double free = times.free_at(worker, now);
  if (const CostedTask* const task = reserved[worker]) free += places.seconds(*task, places.of(worker));
  return free;
}

double Situation::finish_here(const CostedTask& task, WorkerId worker, double now) const {
  const PlaceId here = places.of(worker);
  return std::max(free_at(worker, now), now + places.copy(task, here)) + guarded_seconds(task, here);
}

/// Where a task without successors does not cost least, it counts as longer by as much as estimates were wrong: with
/// many tasks to choose from, one that seems good at such a place is mostly an error.
double Situation::guarded_seconds(const CostedTask& task, PlaceId place) const {
  const double run = places.seconds(task, place);
  if (task.upward_rank > task.least || places.cost(task, place) <= kSameCost * task.cheapest) return run;
  return run * errors.slack(task.task->codelet, places[place].id);
}

bool Situation::critical(const CostedTask& task) const {
  return task.upward_rank > task.least && task.upward_rank >= kCriticalShare * horizon;
}

/// Whether a worker of the place may run the task and will ask.
bool Situation::may_take(const CostedTask& task, const Places::Place& place) const {
  return std::ranges::any_of(place.workers, [&](WorkerId worker) {
    return places.present(worker) && environment.eligibility.contains(task.task->group, worker) &&
           refusals.will_ask(worker, times.idle(worker));
  });
}

Home Situation::home_of(const CostedTask& task, PlaceId here) const {
  Home home{.place = here,
            .least = price(task, here),
            .other = kInfinity,
            .fastest = places.cost(task, here),
            .quickest = here};
  for (PlaceId place = 0; place < places.size(); ++place) {
    const double cost = places.cost(task, place), priced = price(task, place);
    const bool elsewhere = places[place].id != places[here].id && priced < home.other;
    if (place == here || !(priced < home.least || cost < home.fastest || elsewhere)) continue;
    if (!may_take(task, places[place])) continue;
    if (cost < home.fastest) {
      home.fastest = cost;
      home.quickest = place;
    }
    if (elsewhere) home.other = priced;
    if (priced >= home.least) continue;
    home.least = priced;
    home.place = place;
  }
  return home;
}

bool Situation::in_time(const CostedTask& task, double finish, double now) const {
  return chain_end(task, finish, kChainStretch) <= now + horizon;
}

bool Situation::in_time_at(PlaceId place, const CostedTask& task, double now) const {
  return in_time(task, now + places.copy(task, place) + guarded_seconds(task, place), now);
}

/// While tasks are being submitted little of the work is known, hence the longest that was known.
bool Situation::late(const CostedTask& task, double now, double seconds) const {
  return task.left_at >= 0 && now >= task.left_at + kPatience * std::max(seconds, widest_);
}

bool Situation::leave(CostedTask& task, double now, double seconds) const {
  if (task.left_at < 0) task.left_at = now;
  return !late(task, now, seconds);
}

}  // namespace starpath
