// Where and in which order queued tasks will run, as far as is known.
#pragma once
#include <limits>
#include <vector>

#include "sched_policies/apex/candidate.hpp"
#include "sched_policies/apex/class_prices.hpp"
#include "sched_policies/apex/forecast.hpp"
#include "sched_policies/apex/numbers.hpp"
#include "sched_policies/apex/place_queue.hpp"
#include "sched_policies/planning/outstanding.hpp"

namespace starpath {

/// Each queued task waits at one place. A place runs the most urgent of its tasks first.
///
/// The *price* of a task at a place is the sum of two products: its run time there times the price of a second of the
/// class, and the time of its copies times the price of a second of the bus of main memory. A task is *in time* where
/// it ends before its *deadline*. That is when the machine would come to the tasks that wait for it, if it did all
/// known work in order of upward rank. A class is *too dear* for a task if its price there is far above the lowest
/// price of the classes where it is in time. A task is planned at the place where it ends soonest, four times its
/// copies added (they delay others), among the places of classes that are not too dear; of equal places, at the one
/// that is free first. But the cheapest class where it is in time, with that added, is taken if a worker there is free.
///
/// Times are seconds of the caller's clock. Not thread-safe.
class Plan {
 public:
  explicit Plan(Forecast& forecast);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Its copies count in the prices; before it is inserted for the first time. `seconds`: as estimated.
  void ready(const CostedTask& task, const ClassSeconds& seconds);
  void insert(CostedTask& task, double now);
  void remove(CostedTask& task);
  /// Back to the place that it was removed from.
  void put_back(CostedTask& task);
  /// Plans the waiting tasks of classes that are too dear for them again, if the known work has doubled or halved since
  /// that was last done, or if `always`.
  void renew(double now, bool always = false);

  /// The most urgent task that is planned at the worker's place and that it may run; nullptr: none.
  CostedTask* first(WorkerId worker) { return queues_[places_.of(worker)].first(worker, eligibility_); }

  /// What a worker finds at places other than its own.
  struct Elsewhere {
    CostedTask* task =
        nullptr;  ///< the cheapest here beside there, of those that it would finish sooner; nullptr: none
    double until = std::numeric_limits<double>::infinity();  ///< when the first of the others should have ended
  };
  Elsewhere sooner_here(WorkerId worker, double now);

  /// The most urgent task of the place whose copies should start; nullptr: none.
  CostedTask* to_fetch(PlaceId place) { return queues_[place].first_remote(); }

  /// Whether new work replaces most of what ends, as with programs that keep a fixed number of tasks in flight. Such
  /// work has no end to plan for, so upward ranks do not count: the oldest task goes first.
  bool streams() const { return outstanding.replaced > kNumbers.replaced; }
  /// Whether the upward rank of a task with that tail counts. A chain that is short beside the known work can wait, and
  /// in the order of submission data are soon used, so memory is free again.
  bool ranked(const CostedTask& task, double tail) const {
    return !streams() && task.least + tail > kNumbers.critical * outstanding.seconds;
  }
  std::size_t size() const { return size_; }

  ClassPrices prices;
  Outstanding outstanding;

 private:
  double delays(const CostedTask& task, PlaceId place) const {
    return forecast_.delays(task, place, outstanding.tasks);
  }
  double deadline(const CostedTask& task, double now) const;
  bool leaves(CostedTask& task, WorkerId worker, PlaceId there, double now, Elsewhere& found);
  PlaceId without_workers(const CostedTask& task) const;
  Candidate choose(const CostedTask& task, double now);

  Forecast& forecast_;
  const Places& places_;
  const EligibilityTable& eligibility_;
  std::vector<PlaceQueue> queues_;     // by place
  std::vector<Candidate> candidates_;  // by class, of the task that is being planned
  double planned_for_ = 0;             // Outstanding::seconds when all was planned
  std::size_t size_ = 0;
};

}  // namespace starpath
