// Apex where chains are short: each task where it belongs by price, if it is done there by the time all is done.
#include <algorithm>
#include <cmath>

#include "sched_policies/apex/apex.hpp"
#include "sched_policies/apex/steps.hpp"

namespace starpath {
namespace {

constexpr double kDouble = 4;  // steps of a fifth that double a price
constexpr double kMostSteps = 400;

/// What goes first, last named first.
enum Tier : unsigned {
  kAway,    // at home elsewhere
  kAtHome,  // here
  kMust,    // elsewhere, and would be late there
  kLate     // was left for too long
};

}  // namespace

/// Whether someone at the place may run the task, and will ask.
bool Apex::may_come(const CostedTask& task, const Place& place) const {
  return std::ranges::any_of(place.workers, [&](WorkerId worker) {
    return present_[worker] && environment_.eligibility.contains(task.task->group, worker) && comes(worker);
  });
}

Apex::Home Apex::home_of(const CostedTask& task, PlaceId here) const {
  Home home{
      .place = here, .least = price(task, here), .other = kInfinity, .fastest = cost(task, here), .quickest = here};
  for (PlaceId place = 0; place < places_.size(); ++place) {
    const double seconds = cost(task, place), own = price(task, place);
    const bool elsewhere = places_[place].id != places_[here].id && own < home.other;
    if (place == here || !(own < home.least || seconds < home.fastest || elsewhere)) continue;
    if (!may_come(task, places_[place])) continue;
    if (seconds < home.fastest) {
      home.fastest = seconds;
      home.quickest = place;
    }
    if (elsewhere) home.other = own;
    if (own >= home.least) continue;
    home.least = own;
    home.place = place;
  }
  return home;
}

/// Whether what waits for the task is done by the time that all should be done.
bool Apex::in_time(const CostedTask& task, double finish, double now) const {
  return chain_end(task, finish, kTail) <= now + horizon_;
}

/// Whether it is if the task begins at the place at once.
bool Apex::in_time_at(PlaceId place, const CostedTask& task, double now) const {
  return in_time(task, now + copy(task, place) + guarded(task, place), now);
}

/// Nullopt: `worker` leaves it to where it belongs, or to where it is done in time.
std::optional<Apex::Merit> Apex::merit(const CostedTask& task, const Home& home, WorkerId worker, double now) const {
  const PlaceId here = place_of_[worker];
  const double cost_there = cost(task, home.place), cost_here = cost(task, here);
  const double own = price(task, here);
  const bool fastest = cost_here <= kSame * home.fastest;
  const bool at_home = own <= kSame * home.least;
  const bool must = fastest && !at_home && !in_time_at(home.place, task, now);
  const bool done = in_time(task, finish_here(task, worker, now), now);
  const bool overdue = late(task, now, cost_there);
  bool takes = (fastest || done) && (at_home || must || own <= kDear * home.least);
  if (overdue) takes = takes || fastest || done || late(task, now - kPatience * cost_here, cost_there);
  if (stuck()) takes = takes || fastest;
  if (!takes) return std::nullopt;
  const unsigned tier = overdue && fastest ? kLate : must ? kMust : at_home ? kAtHome : kAway;
  double level = task.upward_rank;
  if (tier == kAtHome) level = std::floor(std::min(kMostSteps, step_of(home.other / own)) / kDouble);
  if (tier == kAway) level = -own / home.least;
  return Merit{.tier = tier,
               .level = level,
               .upward_rank = task.upward_rank > task.least ? 0 : task.upward_rank,
               .priority = task.task->priority,
               .sequence = task.task->sequence};
}

Apex::Choice Apex::choose_by_price(WorkerId worker, double now) {
  const PlaceId here = place_of_[worker];
  Choice choice;
  Merit best;
  double refused = kInfinity;
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) {
    if (!environment_.eligibility.contains(buckets_.group(slot), worker)) continue;
    const CostBucket& bucket = buckets_[slot];
    CostedTask* task = &bucket.highest();
    Home home = home_of(*task, here);
    auto own = merit(*task, home, worker, now);
    if (!own && price(*task, here) <= kDear * home.least && &bucket.lowest() != task) {  // it may end later
      task = &bucket.lowest();
      home = home_of(*task, here);
      own = merit(*task, home, worker, now);
    }
    if (own) {
      if (choice.task != nullptr && *own < best) continue;
      choice.task = task;
      best = *own;
      continue;
    }
    const PlaceId better = in_time_at(home.place, *task, now) ? home.place : home.quickest;
    left(*task, now, cost(*task, better));
    if (home.least >= refused) continue;
    refused = home.least;
    choice.refused = task;
    choice.better = better;
    choice.until = now + cost(*task, better);
  }
  return choice;
}

}  // namespace starpath
