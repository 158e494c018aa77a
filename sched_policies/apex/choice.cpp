// Apex: what a worker sees when it asks, and by which rule it chooses.
#include <algorithm>

#include "sched_policies/apex/apex.hpp"

namespace starpath {
namespace {

constexpr double kCritical = 0.5;  // share of the horizon that makes a task critical
constexpr double kLong = 0.45;     // share of what is known from which on a chain decides
constexpr double kRisk = 0.1;      // of the time so far: how much longer all may take if no more comes than is known

}  // namespace

bool Apex::Merit::operator<(const Merit& other) const {
  if (tier != other.tier) return tier < other.tier;
  if (level != other.level) return level < other.level;
  if (upward_rank != other.upward_rank) return upward_rank < other.upward_rank;
  if (priority != other.priority) return priority < other.priority;
  return sequence > other.sequence;
}

void Apex::look_around(double now) {
  if (began_ < 0) began_ = now;
  rates_ = prices_.prices();
  chains_ = 0;
  double longest = 0;
  for (WorkerId worker = 0; worker < present_.size(); ++worker) {
    if (!present_[worker] || times_.idle(worker)) continue;
    const double chain = times_.chain_ends(worker, now) - now;
    longest = std::max(longest, chain);
    if (times_.awaited(worker)) chains_ = std::max(chains_, chain);
  }
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) {
    const CostedTask& first = buckets_[slot].highest();
    longest = std::max(longest, first.upward_rank);
    if (first.upward_rank > first.least) chains_ = std::max(chains_, first.upward_rank);
  }
  const double known = std::max(longest, outstanding_.seconds);
  long_chain_ = chains_ >= kLong * known;
  const double more = chains_ + (long_chain_ ? 0 : kRisk * (now - began_));
  horizon_ = known + outstanding_.replaced * more;
  widest_ = std::max(widest_, known);
}

bool Apex::critical(const CostedTask& task) const {
  return task.upward_rank > task.least && task.upward_rank >= kCritical * horizon_;
}

/// Seconds of the run there. Where it does not cost least, a task that nothing is known to wait for takes longer by as
/// much as estimates were wrong: with many to choose from, what seems good there is mostly an error.
double Apex::guarded(const CostedTask& task, PlaceId place) const {
  const double run = seconds(task, place);
  if (task.upward_rank > task.least || cost(task, place) <= kSame * task.cheapest) return run;
  return run * errors_.slack(task.task->codelet, places_[place].id);
}

double Apex::finish_here(const CostedTask& task, WorkerId worker, double now) const {
  const PlaceId here = place_of_[worker];
  return std::max(free_at(worker, now), now + copy(task, here)) + guarded(task, here);
}

/// Whether the task was left to others, who are to take so many seconds, for too long. While tasks are being submitted
/// little is known, hence the widest.
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
  if (any || rates_.empty() || long_chain_) return choose_by_finish(worker, now, any);
  return choose_by_price(worker, now);
}

}  // namespace starpath
