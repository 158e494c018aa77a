// The rule of apex while all chains are short.
#include "sched_policies/apex/by_price.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sched_policies/apex/steps.hpp"

namespace starpath {
namespace {

constexpr double kStepsOfDouble = 4;  // steps of a fifth that double a price
constexpr double kMostSteps = 400;

/// Tasks of a higher tier go first.
enum Tier : unsigned {
  kAway,    // at home elsewhere
  kAtHome,  // at home here
  kMust,    // at home elsewhere, and late there
  kOverdue  // left for too long
};

/// Whether the worker takes the task, and with which merit.
class Judge {
 public:
  Judge(const Situation& situation, WorkerId worker, double now)
      : situation_(situation), here_(situation.places.of(worker)), worker_(worker), now_(now) {}

  /// Nullopt: the worker leaves it to its home, or to a place where it is in time.
  std::optional<Merit> merit(const CostedTask& task, const Home& home) const {
    const double priced = situation_.price(task, here_);
    const bool fastest = situation_.places.cost(task, here_) <= kSameCost * home.fastest;
    const bool at_home = priced <= kSameCost * home.least;
    const bool must = fastest && !at_home && !situation_.in_time_at(home.place, task, now_);
    const bool overdue = situation_.late(task, now_, situation_.places.cost(task, home.place));
    if (!takes(task, home, fastest, at_home || must || priced <= kMostOverHome * home.least, overdue))
      return std::nullopt;
    const unsigned tier = overdue && fastest ? kOverdue : must ? kMust : at_home ? kAtHome : kAway;
    double level = task.upward_rank;
    if (tier == kAtHome) level = std::floor(std::min(kMostSteps, step_of(home.other / priced)) / kStepsOfDouble);
    if (tier == kAway) level = -priced / home.least;
    return Merit{.tier = tier,
                 .level = level,
                 .upward_rank = task.upward_rank > task.least ? 0 : task.upward_rank,
                 .priority = task.task->priority,
                 .sequence = task.task->sequence};
  }

 private:
  /// `cheap`: in prices, for this place.
  bool takes(const CostedTask& task, const Home& home, bool fastest, bool cheap, bool overdue) const {
    const bool in_time = situation_.in_time(task, situation_.finish_here(task, worker_, now_), now_);
    if ((fastest || in_time) && cheap) return true;
    if (fastest && (overdue || situation_.refusals.stuck())) return true;
    if (!overdue) return false;
    const double longer = kPatience * situation_.places.cost(task, here_);
    return in_time || situation_.late(task, now_ - longer, situation_.places.cost(task, home.place));
  }

  const Situation& situation_;
  PlaceId here_;
  WorkerId worker_;
  double now_;
};

}  // namespace

Choice choose_by_price(const Situation& situation, WorkerId worker, double now) {
  const Places& places = situation.places;
  const PlaceId here = places.of(worker);
  const Judge judge(situation, worker, now);
  const CostBuckets& buckets = situation.queued.buckets();
  Choice choice;
  Merit best;
  double refused = std::numeric_limits<double>::infinity();
  for (std::size_t slot = 0; slot < buckets.filled(); ++slot) {
    if (!situation.environment.eligibility.contains(buckets.group(slot), worker)) continue;
    const CostBucket& bucket = buckets[slot];
    CostedTask* task = &bucket.highest();
    Home home = situation.home_of(*task, here);
    auto merit = judge.merit(*task, home);
    if (!merit && situation.price(*task, here) <= kMostOverHome * home.least && &bucket.lowest() != task) {
      task = &bucket.lowest();  // it may end later
      home = situation.home_of(*task, here);
      merit = judge.merit(*task, home);
    }
    if (merit) {
      if (choice.task != nullptr && *merit < best) continue;
      choice.task = task;
      best = *merit;
      continue;
    }
    const PlaceId better = situation.in_time_at(home.place, *task, now) ? home.place : home.quickest;
    situation.leave(*task, now, places.cost(*task, better));
    if (home.least >= refused) continue;
    refused = home.least;
    choice.refused = task;
    choice.better = better;
    choice.until = now + places.cost(*task, better);
  }
  return choice;
}

}  // namespace starpath
