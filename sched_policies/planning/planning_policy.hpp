// What a policy that plans in time is: the contract of Policy, and what it is told and asked beside.
#pragma once
#include <concepts>
#include <optional>

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

/// What PlanningPolicy::fetch says.
struct Fetch {
  TaskRecord* task = nullptr;  ///< whose copies should start; nullptr: none
  WorkerId worker = 0;         ///< to the memory of this one
  int priority = 0;            ///< of the copies: a link makes those of the highest first
};

/// A policy that plans in time. It sees what tasks cost and when workers will be free. It may leave a worker idle
/// although a task is queued that the worker can run, and it reserves tasks so that their copies start early. As a
/// plain Policy it knows no times and is FCFS. Times are seconds of the caller's clock.
///
/// The invariants of Policy hold, but the first one becomes:
///   1. `pop(w, now)` returns a task whose group contains w, or none. It returns none although such a task is queued
///      only while another worker should have it. That worker is then busy, or the decision names it.
///
/// What the caller does:
///   - `submitted(group, seconds)`: a task of that group will be queued once it is ready.
///   - `push(task, costs)`: a task is ready.
///   - `set_tail(task, tail)`: TaskCosts::tail of a queued task has changed.
///   - `set_outstanding(o)`: what is known to be still to do. What `o` points to stays valid until the next such call
///     and may change meanwhile.
///   - `another(w, now)`, after a pop that gave w a task: one more task for w to run after that, or none. For tasks so
///     short that a decision about each would cost more than it can gain.
///   - `fetch()`: a task whose copies should start, or none. It is not handed out before `hold(task)` says that they
///     are under way.
///   - `took(w, owner, now)`: w was given a task of unknown run time that was not queued here.
///   - `bound(w, owner, seconds, now)`: w will run a task for so long before it asks again, by the application's
///   choice.
///   - `finished(w, owner, now, ran)`: the task ended; `ran` is how long it ran without its copies, if measured.
///   - `set_present(w, present)`: workers are absent until then. What an absent worker had reserved is queued again.
template <class P>
concept PlanningPolicy = Policy<P> &&
    requires(P policy, TaskRecord& task, WorkerId worker, const TaskCosts& costs, double now) {
  { policy.submitted(task.group, costs.seconds) } -> std::same_as<void>;
  { policy.push(task, costs, now) } -> std::same_as<void>;
  { policy.pop(worker, now) } -> std::same_as<Decision>;
  { policy.another(worker, now) } -> std::same_as<TaskRecord*>;
  { policy.fetch() } -> std::same_as<Fetch>;
  { policy.hold(task) } -> std::same_as<void>;
  { policy.took(worker, task.owner, now) } -> std::same_as<void>;
  { policy.bound(worker, task.owner, now, now) } -> std::same_as<void>;
  { policy.finished(worker, task.owner, now, std::optional<double>(now)) } -> std::same_as<void>;
  { policy.set_present(worker, true) } -> std::same_as<void>;
  { policy.set_tail(task, now, now) } -> std::same_as<void>;
  { policy.set_outstanding(Outstanding{}) } -> std::same_as<void>;
};

}  // namespace starpath
