// The rule of apex while a chain is long, or without prices: finish times decide.
#pragma once
#include <limits>
#include <vector>

#include "sched_policies/apex/choice.hpp"
#include "sched_policies/apex/situation.hpp"

namespace starpath {

/// A worker takes critical tasks first, the highest upward rank first, if they cost least at its place. After those it
/// prefers the task with the largest *advantage*: the lowest cost at places of other classes over the cost here. It
/// leaves a task that another place is expected to finish sooner, and a task that is not critical and too expensive
/// here. It does not leave a task that is *done in turn*: one that ends here before the other classes would begin the
/// tasks that wait for it.
class ByFinish {
 public:
  /// `situation` outlives it.
  explicit ByFinish(const Situation& situation);

  /// `any`: takes the best task whatever others would do.
  Choice choose(WorkerId worker, double now, bool any);

 private:
  /// What one class contributes to the queued work.
  struct Pool {
    double held = 0;     // what its workers have to finish: seconds where that costs least
    double speed = 0;    // seconds of held and queued work that it does in a second
    double without = 0;  // when the other classes would have done the queued work without this one
    double slowed = 1;   // how many times as long the other classes need alone; infinite if there are none
  };
  struct Offer {
    Merit merit;
    CostedTask* task = nullptr;
    bool urgent = false;
  };

  void fill_pools(double now);
  Offer offer(const CostBucket& bucket, PlaceId here, const Choice& choice, const Merit& best) const;
  double first_free(const CostedTask& task, const Places::Place& place, double now) const;
  double finish_at(const CostedTask& task, PlaceId place, PlaceId here, double now) const;
  double finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const;
  double advantage(const CostedTask& task, PlaceId here) const;
  double turn_of(double upward_rank, PlaceId here, double now) const;
  bool in_turn(const CostedTask& task, double finish, PlaceId here, double now) const;
  double most_over_home_in_turn(const CostedTask& task) const;
  double busy_share(ClassId id, double now) const;
  bool leaves_to_sooner(CostedTask& task, WorkerId worker, double now, Choice& choice) const;
  bool leaves_to_home(CostedTask& task, WorkerId worker, double now, Choice& choice) const;

  const Situation& situation_;
  const Places& places_;

  // Of the decision at hand.
  std::vector<Pool> pools_;  // by class
  double all_done_ = 0;      // when all classes together would have done the queued work
};

}  // namespace starpath
