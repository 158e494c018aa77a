// Apex: what a worker sees when it asks, and by which rule it chooses.
#include <algorithm>
#include <cmath>

#include "sched_policies/core/apex.hpp"

namespace starpath {
namespace {

constexpr double kCritical = 0.5;  // share of the horizon that makes a task critical
constexpr double kLong = 0.45;     // share of it from which on a chain decides
constexpr double kRounding = 1e-9;

}  // namespace

bool Apex::Merit::operator<(const Merit& other) const {
  if (tier != other.tier) return tier < other.tier;
  if (level != other.level) return level < other.level;
  if (rank != other.rank) return rank < other.rank;
  if (priority != other.priority) return priority < other.priority;
  return sequence > other.sequence;
}

void Apex::look_around(double now) {
  rates_ = prices_.prices();
  chains_ = 0;
  double longest = 0, work = weight_, speed = 0;
  for (Pool& pool : pools_) pool = {};
  for (WorkerId worker = 0; worker < present_.size(); ++worker) {
    if (!present_[worker]) continue;
    const Place& place = places_[place_of_[worker]];
    const double own = weight_ > 0 ? place.speed / weight_ : 0;
    const double held = own * (free_at(worker, now) - now);
    Pool& pool = pools_[place.id];
    pool.held += held;
    pool.speed += own;
    work += held;
    speed += own;
    if (times_.idle(worker)) continue;
    const double chain = times_.chain_ends(worker, now) - now;
    longest = std::max(longest, chain);
    if (times_.awaited(worker)) chains_ = std::max(chains_, chain);
  }
  pooled_ = speed > 0 ? now + work / speed : kInfinity;
  for (Pool& pool : pools_) {
    const double others = speed - pool.speed;
    pool.without = others > kRounding * speed ? now + (work - pool.held) / others : kInfinity;
  }
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) {
    const CostedTask& first = buckets_[slot].highest();
    longest = std::max(longest, first.rank);
    if (first.rank > first.least) chains_ = std::max(chains_, first.rank);
  }
  horizon_ = std::max(longest, outstanding_);
  widest_ = std::max(widest_, horizon_);
}

double Apex::Place::above(std::size_t level) const {
  double seconds = by_rank[level].seconds / 2;
  for (std::size_t higher = level + 1; higher < kRankLevels; ++higher) seconds += by_rank[higher].seconds;
  return seconds;
}

bool Apex::critical(const CostedTask& task) const {
  return task.rank > task.least && task.rank >= kCritical * horizon_;
}

/// When one of the place's workers that may run the task can begin something; infinite without any.
double Apex::first_free(const CostedTask& task, const Place& place, double now) const {
  double first = kInfinity;
  for (const WorkerId worker : place.workers) {
    if (!present_[worker] || !environment_.eligibility.contains(task.task->group, worker)) continue;
    if (stuck() && times_.idle(worker)) continue;
    first = std::min(first, free_at(worker, now));
  }
  return first;
}

/// Seconds of the run there. Where it does not cost least, a task that nothing is known to wait for takes longer by as
/// much as estimates were wrong: with many to choose from, what seems good there is mostly an error.
double Apex::guarded(const CostedTask& task, PlaceId place) const {
  const double run = seconds(task, place);
  if (task.rank > task.least || cost(task, place) <= kSame * task.cheapest) return run;
  return run * errors_.slack(task.task->stream, places_[place].id);
}

/// Whether the task was left to others, who are to take so many seconds, for too long. While tasks are being submitted
/// the horizon is short, hence the widest.
bool Apex::late(const CostedTask& task, double now, double seconds) const {
  return task.left_at >= 0 && now >= task.left_at + kPatience * std::max(seconds, widest_);
}

/// Notes that the task is left to others; false when that has lasted too long.
bool Apex::left(CostedTask& task, double now, double seconds) const {
  if (task.left_at < 0) task.left_at = now;
  return !late(task, now, seconds);
}

/// `any`: take the best whatever others would do.
Apex::Choice Apex::choose(WorkerId worker, double now, bool any) {
  look_around(now);
  if (any || rates_.empty() || chains_ >= kLong * horizon_) return choose_by_finish(worker, now, any);
  return choose_by_price(worker, now);
}

}  // namespace starpath
