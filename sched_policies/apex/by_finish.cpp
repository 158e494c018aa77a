// The rule of apex while a chain is long, or without prices.
#include "sched_policies/apex/by_finish.hpp"

#include <algorithm>
#include <cmath>

#include "sched_policies/apex/steps.hpp"

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;
constexpr double kIdlePower = 4;     // of the busy share of a class: what its time is worth
constexpr double kLeastWorth = 0.5;  // at least: a task that is far too long for a core must not begin there

}  // namespace

ByFinish::ByFinish(const Situation& situation)
    : situation_(situation), places_(situation.places), pools_(situation.environment.machine.classes().size()) {}

/// When the queued work will be done, by all classes and without each.
void ByFinish::fill_pools(double now) {
  double work = situation_.queued.weight(), speed = 0;
  for (Pool& pool : pools_) pool = {};
  for (WorkerId worker = 0; worker < places_.workers(); ++worker) {
    if (!places_.present(worker)) continue;
    const PlaceId place = places_.of(worker);
    const double worker_speed = situation_.queued.speed(place);
    const double held = worker_speed * (situation_.free_at(worker, now) - now);
    Pool& pool = pools_[places_[place].id];
    pool.held += held;
    pool.speed += worker_speed;
    work += held;
    speed += worker_speed;
  }
  all_done_ = speed > 0 ? now + work / speed : kInfinity;
  for (Pool& pool : pools_) {
    const double others = speed - pool.speed;
    const bool alone = others <= kRounding * speed;
    pool.without = alone ? kInfinity : now + (work - pool.held) / others;
    pool.slowed = alone ? kInfinity : speed / others;
  }
}

/// When one of the place's workers that may run the task can begin another; infinite without any.
double ByFinish::first_free(const CostedTask& task, const Places::Place& place, double now) const {
  double first = kInfinity;
  for (const WorkerId worker : place.workers) {
    if (!places_.present(worker) || !situation_.environment.eligibility.contains(task.task->group, worker)) continue;
    if (!situation_.refusals.will_ask(worker, situation_.times.idle(worker))) continue;
    first = std::min(first, situation_.free_at(worker, now));
  }
  return first;
}

/// When the place would finish the task. A critical task waits there for the queued tasks of higher upward rank that
/// cost least there. Any other task is done when all queued work is done: a place that is free soon will not take
/// everything. For a place of another class that is without the asker's class, whose help is no reason to wait.
double ByFinish::finish_at(const CostedTask& task, PlaceId place, PlaceId here, double now) const {
  const double cost = places_.cost(task, place);
  if (cost == kInfinity) return kInfinity;
  const double begin = first_free(task, places_[place], now);
  if (begin == kInfinity) return kInfinity;
  const double finish = begin + places_.copy(task, place) + situation_.guarded_seconds(task, place);
  if (!situation_.critical(task)) {
    const ClassId asker = places_[here].id;
    return std::max(finish, places_[place].id == asker ? all_done_ : pools_[asker].without);
  }
  double above = situation_.queued.by_upward_rank(place).before(task.level);
  if (cost <= kSameCost * task.cheapest) above = std::max(0.0, above - cost / 2);  // its share of its level
  return finish + above / static_cast<double>(places_[place].present);
}

/// When the best of the other places would have finished it.
double ByFinish::finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const {
  double earliest = kInfinity;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (place == here || places_[place].present == 0) continue;
    const double finish = finish_at(task, place, here, now);
    if (finish < earliest) {
      earliest = finish;
      best = place;
    }
  }
  return earliest;
}

double ByFinish::advantage(const CostedTask& task, PlaceId here) const {
  double other = kInfinity;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (places_[place].id != places_[here].id) other = std::min(other, places_.cost(task, place));
  }
  return other / std::max(places_.cost(task, here), 1e-12);
}

/// When the other classes would begin tasks of that upward rank. They are assumed to do all known work that has not
/// begun, the highest upward rank first, as if it were of the same mix as the queued work. The more of the work that
/// ends is replaced, the sooner they begin: a chain that ends sooner then brings the next one sooner.
double ByFinish::turn_of(double upward_rank, PlaceId here, double now) const {
  const double slowed = pools_[places_[here].id].slowed;
  if (slowed == kInfinity) return kInfinity;
  const Outstanding& outstanding = situation_.outstanding;
  if (outstanding.waiting == nullptr) return now;
  const double work = outstanding.waiting->before(WorkByUpwardRank::level(upward_rank));
  return now + (1 - outstanding.replaced) * slowed * work;
}

/// Whether the task is done in turn if it ends at `finish`. Another place may be free for it sooner, but then does
/// something else later.
bool ByFinish::in_turn(const CostedTask& task, double finish, PlaceId here, double now) const {
  const double tail = task.upward_rank - task.least;
  return Situation::chain_end(task, finish, 1) <= now + situation_.horizon &&
         (tail <= 0 || finish <= turn_of(tail, here, now));
}

/// How many times as much as at home, in prices, a task may cost here and be done in turn. All may wait for a critical
/// task, so for it both costs count as wrong by the largest error of its codelet on any class: on this class few may
/// have run, and those may have seemed short.
double ByFinish::most_over_home_in_turn(const CostedTask& task) const {
  if (!situation_.critical(task)) return kMostOverHome;
  double slack = 1;
  for (const Places::Place& place : places_)
    slack = std::max(slack, situation_.errors.slack(task.task->codelet, place.id));
  return kMostOverHome / (slack * slack);
}

/// Whether the worker leaves the task because another place would finish it sooner; `choice` says where and when.
bool ByFinish::leaves_to_sooner(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  const PlaceId here = places_.of(worker);
  const double finish = situation_.finish_here(task, worker, now);
  if (!situation_.rates.empty() && in_turn(task, finish, here, now) &&
      situation_.price(task, here) <= most_over_home_in_turn(task) * situation_.home_of(task, here).least)
    return false;
  choice.until = finish_elsewhere(task, here, now, choice.better);
  if (finish - now <= kSameFinish * (choice.until - now)) return false;
  return situation_.leave(task, now, choice.until - now);
}

/// The share of the time since the graph began for which the class's workers had something to finish.
double ByFinish::busy_share(ClassId id, double now) const {
  if (now <= situation_.began) return 1;
  double worked = 0, workers = 0;
  for (WorkerId worker = 0; worker < places_.workers(); ++worker) {
    if (!places_.present(worker) || places_[places_.of(worker)].id != id) continue;
    worked += situation_.times.worked(worker, now);
    ++workers;
  }
  return worked / (workers * (now - situation_.began));
}

/// Whether the worker leaves the task because it is too expensive here and in time at home; `choice` says where home
/// is. With few chains in flight a class may idle although its prices count with work for it. Its time is worth less
/// then.
bool ByFinish::leaves_to_home(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  if (situation_.rates.empty() || situation_.refusals.stuck()) return false;
  const PlaceId here = places_.of(worker);
  const Home home = situation_.home_of(task, here);
  const double cost_there = places_.cost(task, home.place);
  const double priced = situation_.price(task, here), limit = kMostOverHome * home.least;
  if (priced <= limit || !situation_.in_time(task, now + cost_there, now)) return false;
  const double worth = std::max(kLeastWorth, std::pow(busy_share(places_[here].id, now), kIdlePower));
  if (priced * worth <= limit) return false;
  choice.better = home.place;
  choice.until = now + cost_there;
  return situation_.leave(task, now, cost_there);
}

/// The task of the bucket that suits the asker best, and its merit; without a task if it cannot be better than `best`.
ByFinish::Offer ByFinish::offer(const CostBucket& bucket, PlaceId here, const Choice& choice, const Merit& best) const {
  CostedTask* task = &bucket.first();
  const double gain = advantage(*task, here);
  const bool suits = gain * kSameCost >= 1;
  const bool urgent = situation_.critical(bucket.highest());
  if (urgent && !suits) task = &bucket.lowest();
  if (suits && (urgent || bucket.highest().upward_rank > bucket.highest().least)) task = &bucket.highest();
  const double level = urgent && suits ? task->upward_rank : step_of(gain);
  const unsigned tier = urgent && suits;
  // Most buckets end here, before a look at a record that is mostly cold.
  if (choice.task != nullptr && best.tier >= tier && level < best.level) return {};
  const Merit merit{.tier = tier, .level = level, .priority = task->task->priority, .sequence = task->task->sequence};
  if (choice.task != nullptr && merit < best) return {};
  return {.merit = merit, .task = task, .urgent = urgent};
}

Choice ByFinish::choose(WorkerId worker, double now, bool any) {
  const PlaceId here = places_.of(worker);
  const CostBuckets& buckets = situation_.queued.buckets();
  fill_pools(now);
  Choice choice;
  Merit best, refused;
  for (std::size_t slot = 0; slot < buckets.filled(); ++slot) {
    if (!situation_.environment.eligibility.contains(buckets.group(slot), worker)) continue;
    const auto [merit, task, urgent] = offer(buckets[slot], here, choice, best);
    if (task == nullptr) continue;
    Choice elsewhere;
    const bool leaves = !any && ((!urgent && leaves_to_home(*task, worker, now, elsewhere)) ||
                                 leaves_to_sooner(*task, worker, now, elsewhere));
    if (!leaves) {
      choice.task = task;
      best = merit;
    } else if (choice.refused == nullptr || refused < merit) {
      refused = merit;
      choice.refused = task;
      choice.better = elsewhere.better;
      choice.until = elsewhere.until;
    }
  }
  return choice;
}

}  // namespace starpath
