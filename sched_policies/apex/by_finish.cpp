// Apex where chains are long: each takes what suits it best, unless another place would finish it sooner and has time.
#include <algorithm>
#include <cmath>

#include "sched_policies/apex/apex.hpp"
#include "sched_policies/apex/steps.hpp"

namespace starpath {
namespace {

constexpr double kRounding = 1e-9;
constexpr double kIdlePower = 4;     // of the share of the time for which a class was busy: what its time is worth
constexpr double kLeastWorth = 0.5;  // at least: a task that is far too long for a core must not begin there

}  // namespace

/// When what is queued will be done, by all classes and without each.
void Apex::fill_pools(double now) {
  double work = weight_, speed = 0;
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
  }
  pooled_ = speed > 0 ? now + work / speed : kInfinity;
  for (Pool& pool : pools_) {
    const double others = speed - pool.speed;
    const bool alone = others <= kRounding * speed;
    pool.without = alone ? kInfinity : now + (work - pool.held) / others;
    pool.slowed = alone ? kInfinity : speed / others;
  }
}

/// When one of the place's workers that may run the task can begin something; infinite without any.
double Apex::first_free(const CostedTask& task, const Place& place, double now) const {
  double first = kInfinity;
  for (const WorkerId worker : place.workers) {
    if (!present_[worker] || !environment_.eligibility.contains(task.task->group, worker)) continue;
    if (!comes(worker)) continue;
    first = std::min(first, free_at(worker, now));
  }
  return first;
}

/// When the best of the other places would have finished it: after what is queued there and of a higher upward rank if
/// the task is critical, else when all that is queued will be done. That the asker's own class helps with it is no
/// reason for another class to be sooner.
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
      double above = place.by_upward_rank.before(task.level);
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

/// When the other classes come to tasks of that upward rank if they do all that is known and not begun, the highest
/// upward rank first, as if it were of the same mix as what is queued. As far as what ends is replaced they come at
/// once: a chain that ends sooner then brings the next one sooner, and what there is to do does not last.
double Apex::turn_of(double upward_rank, PlaceId here, double now) const {
  const double slowed = pools_[places_[here].id].slowed;
  if (slowed == kInfinity) return kInfinity;
  if (outstanding_.waiting == nullptr) return now;
  return now +
         (1 - outstanding_.replaced) * slowed * outstanding_.waiting->before(WorkByUpwardRank::level(upward_rank));
}

/// Whether nobody loses by the task's ending at `finish` only: the others have enough to do that goes before what waits
/// for it. Another place may be free for it sooner, but then does something else later.
bool Apex::in_turn(const CostedTask& task, double finish, PlaceId here, double now) const {
  const double tail = task.upward_rank - task.least;
  return chain_end(task, finish, 1) <= now + horizon_ && (tail <= 0 || finish <= turn_of(tail, here, now));
}

/// How many times more than at home the task may cost here, both times the price, and be done in turn here. On a
/// critical one all may wait, so there both costs may be as wrong as estimates of its codelet were, wherever that was
/// most: few may have run here, and those that did seemed short.
double Apex::dearest_in_turn(const CostedTask& task) const {
  if (!critical(task)) return kDear;
  double slack = 1;
  for (const Place& place : places_) slack = std::max(slack, errors_.slack(task.task->codelet, place.id));
  return kDear / (slack * slack);
}

/// Whether `worker` should leave the task because another place would finish it sooner; says where and when in
/// `choice`. Not one that is done in turn and is not dear.
bool Apex::leaves(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  const PlaceId here = place_of_[worker];
  const double finish = finish_here(task, worker, now);
  if (!rates_.empty() && in_turn(task, finish, here, now) &&
      price(task, here) <= dearest_in_turn(task) * home_of(task, here).least)
    return false;
  choice.until = finish_elsewhere(task, here, now, choice.better);
  if (finish - now <= kMargin * (choice.until - now)) return false;
  return left(task, now, choice.until - now);
}

/// For how much of the time since there was last nothing to do the class's workers had something to finish.
double Apex::busy_share(ClassId id, double now) const {
  if (now <= began_) return 1;
  double worked = 0, workers = 0;
  for (WorkerId worker = 0; worker < present_.size(); ++worker) {
    if (!present_[worker] || environment_.machine.class_of(worker) != id) continue;
    worked += times_.worked(worker, now);
    ++workers;
  }
  return worked / (workers * (now - began_));
}

/// Whether `worker` should leave the task because it costs too much here, and where it belongs it is done in time;
/// says where in `choice`. With few chains in flight a class may idle although prices count with work for it: its time
/// is worth less then.
bool Apex::dear(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  if (rates_.empty() || stuck()) return false;
  const PlaceId here = place_of_[worker];
  const Home home = home_of(task, here);
  const double cost_there = cost(task, home.place), own = price(task, here), limit = kDear * home.least;
  if (own <= limit || !in_time(task, now + cost_there, now)) return false;
  const double worth = std::max(kLeastWorth, std::pow(busy_share(places_[here].id, now), kIdlePower));
  if (own * worth <= limit) return false;
  choice.better = home.place;
  choice.until = now + cost_there;
  return left(task, now, cost_there);
}

Apex::Choice Apex::choose_by_finish(WorkerId worker, double now, bool any) {
  const PlaceId here = place_of_[worker];
  fill_pools(now);
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
    if (suits && (urgent || bucket.highest().upward_rank > bucket.highest().least)) task = &bucket.highest();
    const double level = urgent && suits ? task->upward_rank : step_of(gain);
    // Most kinds end here, before a look at a record that is mostly cold.
    if (choice.task != nullptr && best.tier >= unsigned{urgent && suits} && level < best.level) continue;
    const Merit merit{
        .tier = urgent && suits, .level = level, .priority = task->task->priority, .sequence = task->task->sequence};
    if (choice.task != nullptr && merit < best) continue;
    Choice elsewhere;
    if (!any && ((!urgent && dear(*task, worker, now, elsewhere)) || leaves(*task, worker, now, elsewhere))) {
      if (choice.refused == nullptr || refused < merit) {
        refused = merit;
        choice.refused = task;
        choice.better = elsewhere.better;
        choice.until = elsewhere.until;
      }
      continue;
    }
    choice.task = task;
    best = merit;
  }
  return choice;
}

}  // namespace starpath
