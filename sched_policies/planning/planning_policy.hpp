// What a policy that plans in time is: the contract of Policy, and what it is told and asked beside.
#pragma once
#include <concepts>
#include <optional>
#include <vector>

#include "sched_policies/core/data_presence.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/outstanding.hpp"
#include "sched_policies/planning/task_costs.hpp"

namespace starpath {

/// The answer of a planning policy to a worker that asks for a task.
struct Decision {
  TaskRecord* task = nullptr;                 ///< nullptr: no task now
  std::optional<WorkerId> in_favour_of = {};  ///< without a task: a worker that should ask instead, if it is idle
  bool nobody_works = false;                  ///< without a task: no worker has anything to finish; all should ask
  double until = 0;                           ///< without a task: when to ask again at the latest
};

/// What Planner::fetch says.
struct Fetch {
  TaskRecord* task = nullptr;  ///< whose copies should start; nullptr: none
  WorkerId worker = 0;         ///< to the memory of this one
  int priority = 0;            ///< of the copies: a link makes those of the highest first
};

/// The base of a policy that plans in time. It sees what tasks cost and when workers will be free. It may leave a
/// worker idle although a task is queued that the worker can run, and it may reserve tasks so that their copies start
/// early. As a plain Policy it knows no times, and takes tasks in the order of their arrival. Times are seconds of the
/// caller's clock. A method with a body here does nothing for a policy that has no use for it.
///
/// The invariants of Policy hold, but the first one becomes:
///   1. `pop(w, now)` returns a task whose group contains w, or none. It returns none although such a task is queued
///      only while another worker should have it. That worker is then busy, or the decision names it.
class Planner {
 public:
  virtual ~Planner() = default;

  /// Whom to ask about the memories of devices; outlives the policy. Without that, nothing is known of them.
  virtual void set_presence(const DataPresence& /*presence*/) {}

  /// A task is ready.
  virtual void push(TaskRecord& task, const TaskCosts& costs, double now) = 0;
  /// `worker` asks for a task.
  virtual Decision pop(WorkerId worker, double now) = 0;
  /// After a pop that gave `worker` a task: one more for it to run after that, or nullptr. For tasks so short that a
  /// decision about each would cost more than it can gain.
  virtual TaskRecord* another(WorkerId /*worker*/, double /*now*/) { return nullptr; }

  /// A task whose copies should start, or none. It is not handed out before `hold` says that they are under way.
  virtual Fetch fetch() { return {}; }
  virtual void hold(TaskRecord& /*task*/) {}

  /// `worker` was given a task of unknown run time that was not queued here; `owner`: its TaskRecord::owner.
  virtual void took(WorkerId worker, const void* owner, double now) = 0;
  /// `worker` will run a task for so many seconds before it asks again, by the application's choice.
  virtual void bound(WorkerId worker, const void* owner, double seconds, double now) = 0;
  /// The task ended on `worker`, or the worker will not run it after all. `ran`: for how many seconds it ran, its
  /// copies not counted, if that was measured.
  virtual void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) = 0;
  /// Workers are absent until they are said to be present. What an absent worker had reserved is queued again.
  virtual void set_present(WorkerId worker, bool present) = 0;

  /// A task of that group was submitted. It will be queued once it is ready. Only for a policy that ranks.
  virtual void submitted(GroupId /*group*/, const ClassSeconds& /*seconds*/) {}
  /// Takes out the planned tasks of a codelet, in the order of their arrival: their run times are known better now, and
  /// they will be pushed again. Those whose copies are being started stay, and those that no guess was made for may.
  virtual std::vector<TaskRecord*> withdraw(CodeletId /*codelet*/) { return {}; }
  /// Tasks were withdrawn and pushed again, because guesses were wrong: others that were planned beside them may belong
  /// elsewhere now.
  virtual void replan(double /*now*/) {}
  /// TaskCosts::tail of a queued task has changed.
  virtual void set_tail(TaskRecord& /*task*/, double /*tail*/, double /*now*/) {}
  /// What is known to be still to do. What it points to stays valid until the next such call, and may change meanwhile.
  virtual void set_outstanding(const Outstanding& /*outstanding*/) {}
};

template <class P>
concept PlanningPolicy = Policy<P> && std::derived_from<P, Planner>;

}  // namespace starpath
