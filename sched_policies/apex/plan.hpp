// Where and in which order queued tasks will run, as far as is known.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "sched_policies/apex/candidate.hpp"
#include "sched_policies/apex/costed_tasks.hpp"
#include "sched_policies/apex/forecast.hpp"
#include "sched_policies/apex/numbers.hpp"
#include "sched_policies/apex/place_queue.hpp"
#include "sched_policies/core/data_presence.hpp"
#include "sched_policies/planning/class_prices.hpp"
#include "sched_policies/planning/outstanding.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath {

/// Keeps each planned task in the queue of one place, which runs its most urgent task first. A task comes by `add`. Its
/// copies may start between `fetch` and `hold`. It leaves by `take` or `another`, and keeps its worker busy until
/// `finished`. The rules: docs/policies/apex.md. Times are seconds of the caller's clock. Not thread-safe.
class Plan {
 public:
  explicit Plan(PolicyEnvironment environment);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// What is still to do changes what classes are worth and which tasks have to begin soon.
  void submitted(const ClassSeconds& seconds) { prices_.submitted(seconds); }
  void set_presence(const DataPresence& presence) { presence_ = &presence; }
  void set_outstanding(const Outstanding& outstanding) { outstanding_ = outstanding; }
  /// Plans the waiting tasks again, if the known work has doubled or halved since that was last done, or if `always`.
  /// Tasks whose data are at their place, or on the way, stay there, unless its class is too dear for them. `wrong`:
  /// the plan was made with wrong times, so only those whose data are on the way stay.
  void renew(double now, bool always = false, bool wrong = false);

  /// Plans a task whose run times are known.
  void add(TaskRecord& record, const TaskCosts& costs, double now);
  /// Plans a task again, whose tail has changed.
  void set_tail(TaskRecord& record, double tail, double now);
  /// Planner::withdraw.
  std::vector<TaskRecord*> withdraw(CodeletId codelet);
  /// Planner::fetch and Planner::hold.
  Fetch fetch(double now);
  void hold(TaskRecord& record);

  /// What there is for a worker that asks.
  struct Found {
    CostedTask* task = nullptr;                              ///< nullptr: none
    double until = std::numeric_limits<double>::infinity();  ///< when the first of those left to others should end
    const TaskRecord* record() const { return task != nullptr ? task->task : nullptr; }
  };
  /// The first task of the worker's place, or one that it would finish sooner than others.
  Found find(WorkerId worker, double now);
  /// Gives the task to the worker, which asked. If nothing else is planned at its place, plans there what it would take
  /// next, so that the copies of that task start while the worker is busy.
  TaskRecord* take(CostedTask& task, WorkerId worker, double now);
  /// Planner::another, without a look at what others would do: that costs more than it can gain.
  TaskRecord* another(WorkerId worker, double now);

  /// The worker is busy with something that was not planned.
  void occupy(WorkerId worker, const void* owner, double seconds, double now) {
    forecast_.times.took(worker, {.task = owner, .seconds = seconds}, now);
  }
  /// Planner::finished and Planner::set_present.
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran);
  void set_present(WorkerId worker, bool present, double now);
  /// An idle worker beside this one, with a task at its place that it may run. It counts as called from now on.
  std::optional<WorkerId> call_idle(WorkerId beside, double now);
  bool all_idle() const { return forecast_.times.all_idle(); }

  /// Whether a chain has to begin soon. One that is short beside the known work can wait, and in the order of
  /// submission data are soon used, so memory is free again.
  bool critical(double tail) const { return !streams() && tail > kNumbers.critical * outstanding_.seconds; }
  /// Whether so many tasks are queued that a decision about each would cost more than it can gain.
  bool plenty(std::size_t tasks) const { return tasks >= kNumbers.plenty * places_.workers(); }
  /// Tasks in the queues of places; and those beside whose copies are being started.
  std::size_t queued() const { return queued_; }
  std::size_t size() const { return queued_ + fetching_; }

 private:
  // plan.cpp
  void remove(CostedTask& task);
  void put_back(CostedTask& task);
  void plan(CostedTask& task, const Candidate& chosen);
  Urgency urgency_of(const CostedTask& task, double tail) const;
  void rank(CostedTask& task, double tail) const;
  int copy_priority(const CostedTask& task) const;
  std::optional<WorkerId> present_worker_for(const CostedTask& task, PlaceId place) const;
  TaskRecord* hand_out(CostedTask& task, WorkerId worker, double now);
  void plan_next(WorkerId worker, double now);
  // choice.cpp
  CostedTask* first(WorkerId worker);
  CostedTask* first_remote(PlaceId place);
  template <class Usable>
  CostedTask* least_missing(CostedTask* urgent, PlaceId place, Usable usable);
  Candidate choose(const CostedTask& task, double now);
  Candidate choose_among_places(const CostedTask& task, double now);
  Found sooner_here(WorkerId worker, double now);
  double deadline(const CostedTask& task, double now) const;
  double ahead(const CostedTask& task, PlaceId place) const;
  double end(const CostedTask& task, PlaceId place, double begin, double now);
  double end_here(const CostedTask& task, WorkerId worker, double now);
  PlaceId without_workers(const CostedTask& task) const;
  void count_copies(const CostedTask& task, const ClassSeconds& seconds);

  /// Whether there is one place alone, and nothing to copy to it: then only the order of its tasks is to be chosen.
  bool orders_only() const { return places_.size() == 1 && places_[0].memory == 0; }

  /// Whether new work replaces most of what ends, as with programs that keep a fixed number of tasks in flight. Such
  /// work has no end to plan for, so tails do not count: the oldest task goes first.
  bool streams() const { return outstanding_.replaced > kNumbers.replaced; }

  const EligibilityTable& eligibility_;
  CostedTasks tasks_;
  Forecast forecast_;
  const Places& places_;  // the forecast's
  ClassPrices prices_;
  Outstanding outstanding_;
  std::vector<PlaceQueue> queues_;     // by place
  std::vector<Candidate> candidates_;  // by class, of the task that is being planned
  const DataPresence* presence_ = nullptr;
  double planned_for_ = 0;  // Outstanding::seconds when all was planned
  std::size_t queued_ = 0;
  std::size_t fetching_ = 0;  // tasks that `fetch` gave and `hold` did not get yet
};

}  // namespace starpath
