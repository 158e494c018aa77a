// Apex: which task suits a worker, and whether another place would finish it sooner.
#include <algorithm>
#include <cmath>

#include "sched_policies/core/apex.hpp"

namespace starpath {
namespace {

constexpr double kPatience = 8;    // a task is left to others for no longer than this times what they were to take
constexpr double kCritical = 0.5;  // share of the horizon that makes a chain critical
constexpr double kDear = 2;        // times what a task would cost elsewhere, in prices
constexpr double kSlack = 0.25;    // share of the horizon by which it must be done there, and what waits for it
constexpr double kRounding = 1e-9;

}  // namespace

bool Apex::Merit::operator<(const Merit& other) const {
  if (critical != other.critical) return other.critical;
  if (level != other.level) return level < other.level;
  if (priority != other.priority) return priority < other.priority;
  return sequence > other.sequence;
}

void Apex::look_around(double now) {
  double chains = 0, work = weight_, speed = 0;
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
    if (!times_.idle(worker)) chains = std::max(chains, times_.chain_ends(worker, now) - now);
  }
  pooled_ = speed > 0 ? now + work / speed : kInfinity;
  for (Pool& pool : pools_) {
    const double others = speed - pool.speed;
    pool.without = others > kRounding * speed ? now + (work - pool.held) / others : kInfinity;
  }
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) chains = std::max(chains, buckets_[slot].highest().rank);
  horizon_ = std::max(chains, outstanding_);
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
    // After so many refusals only who is at work, and will ask, is a reason to leave a task.
    if (refusals_ > present_.size() && times_.idle(worker)) continue;
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

/// When the best of the other places would have finished it: after what is queued there and of a higher rank if the
/// task is critical, else when all that is queued will be done. That the asker's own class helps with it is no reason
/// for another class to be sooner.
double Apex::finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const {
  const bool urgent = critical(task);
  double earliest = kInfinity;
  for (PlaceId p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    if (p == here || place.present == 0) continue;
    const double own = cost(task, p);
    if (own == kInfinity) continue;
    const double begin = first_free(task, place, now);
    if (begin == kInfinity) continue;
    double finish = begin + copy(task, p) + guarded(task, p);
    if (urgent) {
      double above = place.above(task.level);
      if (own <= kSame * task.cheapest) above = std::max(0.0, above - own / 2);
      finish += above / static_cast<double>(place.present);
    } else {
      finish = std::max(finish, place.id == places_[here].id ? pooled_ : pools_[places_[here].id].without);
    }
    if (finish < earliest) {
      earliest = finish;
      best = p;
    }
  }
  return earliest;
}

double Apex::advantage(const CostedTask& task, PlaceId here) const {
  double other = kInfinity;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (places_[place].id != places_[here].id) other = std::min(other, cost(task, place));
  }
  return other / std::max(cost(task, here), 1e-12);
}

/// Whether `worker` should leave the task because another place would finish it sooner; says where and when in
/// `choice`.
bool Apex::leaves(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  const PlaceId here = place_of_[worker];
  const double finish = std::max(free_at(worker, now), now + copy(task, here)) + guarded(task, here);
  choice.until = finish_elsewhere(task, here, now, choice.better);
  if (finish - now <= kMargin * (choice.until - now)) return false;
  if (task.left_until == 0) task.left_until = now + kPatience * (choice.until - now);
  return now < task.left_until;
}

double Apex::waiting_since(WorkerId worker, double now) const {
  return times_.idle(worker) && waiting_[worker].spell == spell_ ? waiting_[worker].since : now;
}

/// Whether `worker` should leave the task because its class's time is worth too much for it, or it too little of
/// another's; says where and for how long in `choice`. To take it would lose what is paid above the other's price; to
/// wait loses as much in that share of the run time.
bool Apex::dear(const CostedTask& task, WorkerId worker, double now, Choice& choice) {
  const auto prices = prices_.prices();
  if (prices.empty() || refusals_ > present_.size()) return false;
  const PlaceId here = place_of_[worker];
  const double own = prices[places_[here].id] * cost(task, here);
  double least = own / kDear, begin = 0;
  PlaceId best = here;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    const double there = prices[places_[place].id] * cost(task, place);
    if (!(there < least)) continue;
    const double first = first_free(task, places_[place], now);
    if (first == kInfinity) continue;
    least = there;
    begin = first;
    best = place;
  }
  if (best == here) return false;
  if (begin - now + cost(task, best) + task.rank - task.least > kSlack * horizon_) return false;
  choice.better = best;
  choice.until = waiting_since(worker, now) + cost(task, here) * (1 - least / own);
  return now < choice.until;
}

/// `any`: take the best whatever others would do.
Apex::Choice Apex::choose(WorkerId worker, double now, bool any) {
  const PlaceId here = place_of_[worker];
  look_around(now);
  Choice choice;
  Merit best, refused;
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) {
    if (!environment_.eligibility.contains(buckets_.group(slot), worker)) continue;
    const CostBucket& bucket = buckets_[slot];
    CostedTask* task = &bucket.first();
    const double gain = advantage(*task, here);
    const bool suits = gain * kSame >= 1;
    const bool urgent = critical(bucket.highest());
    if (urgent && !suits) task = &bucket.lowest();
    if (suits && (urgent || bucket.highest().rank > bucket.highest().least)) task = &bucket.highest();
    const double level = urgent && suits ? task->rank : step_of(gain);
    // Most kinds end here, before a look at a record that is mostly cold.
    if (choice.task != nullptr && best.critical >= (urgent && suits) && level < best.level) continue;
    const Merit merit{.critical = urgent && suits,
                      .level = level,
                      .priority = task->task->priority,
                      .sequence = task->task->sequence};
    if (choice.task != nullptr && merit < best) continue;
    Choice left;
    if (!any && ((!urgent && dear(*task, worker, now, left)) || leaves(*task, worker, now, left))) {
      if (choice.refused == nullptr || refused < merit) {
        refused = merit;
        choice.refused = task;
        choice.better = left.better;
        choice.until = left.until;
      }
      continue;
    }
    choice.task = task;
    best = merit;
  }
  return choice;
}

}  // namespace starpath
