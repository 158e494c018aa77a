// What a scheduling policy is: the one contract that every policy header meets.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/outstanding.hpp"
#include "sched_policies/core/task_costs.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// The name and facts a user sees of a policy.
struct PolicyInfo {
  std::string_view name;         ///< value of STARPU_SCHED
  std::string_view description;  ///< one line
  bool uses_estimates;           ///< whether it reads TaskRecord::speedups; if not, none are computed
  bool uses_codelets = false;    ///< whether it reads TaskRecord::codelet; if not, all tasks are of codelet 0
  bool requests_ahead = false;   ///< whether accelerators reserve tasks ahead, in windows that Dqaa sizes
};

/// What a policy is built with. Both outlive it; the table grows while the policy lives.
struct PolicyEnvironment {
  const Machine& machine;
  const EligibilityTable& eligibility;
};

/// A policy: a passive ordering of queued tasks. It has no locks, no clock and no threads; its caller serialises all
/// calls. Invariants that every policy keeps, and that the harness in tests/support/des.hpp checks:
///   1. `pop(w)` returns a task whose group contains w, or nullptr only when no queued task's group contains w.
///   2. Each pushed task is returned exactly once. A task may be pushed again after it was popped. The caller numbers
///      pushes: each task's sequence is higher than that of any task pushed before it.
///   3. The order depends on the records alone (never on addresses), so equal runs give equal orders.
///   4. push and pop are O(log n) in the queued tasks, and linear only in the groups and codelets that have tasks
///   queued.
template <class P>
concept Policy = requires(P policy, const P& fixed, TaskRecord& task, WorkerId worker, PolicyEnvironment environment) {
  { P::kInfo } -> std::convertible_to<const PolicyInfo&>;
  P{environment};
  { policy.push(task) } -> std::same_as<void>;
  { policy.pop(worker) } -> std::same_as<TaskRecord*>;
  { fixed.size() } -> std::convertible_to<std::size_t>;
};

/// What a worker that asks a planning policy is told.
struct Decision {
  TaskRecord* task = nullptr;                 ///< nullptr: nothing now
  std::optional<WorkerId> in_favour_of = {};  ///< without a task: a worker that should look instead, if it is idle
  bool nobody_works = false;                  ///< without a task: no worker has anything to finish, so all should look
  double until = 0;                           ///< without a task: ask again then at the latest
};

/// A policy that plans in time: it also sees what tasks cost and when workers will be free, may leave a worker idle
/// beside a task that is better left to another, and reserves tasks so that their copies start early. As a plain
/// Policy it orders by its estimates alone and makes nobody wait. Times are seconds of the caller's clock. The
/// invariants of Policy hold, but for the first, which becomes:
///   1. `pop(w, now)` returns a task whose group contains w, or none; none although such a task is queued only while
///      another worker should have it, and then that worker is busy or named in the decision.
/// `submitted` tells of a task of a group that will be queued when it is ready: what it takes on each class.
/// `set_tail` says of a queued task what TaskCosts::tail is by now; `set_outstanding` what is known to be still to do
/// (what it points to must stay until the next such call, and may change meanwhile). `another(w, now)`, after a pop
/// that gave w a task, returns one more for it to run after that, or none: for tasks so short that a decision about
/// each would cost more than it can gain. A task that `reserve(w, now)` returns is kept for w, but not handed out
/// before `hold(w, task)` says that its copies are under way; `forget` takes it out for good instead. `finished` is
/// told how long the task ran, seconds, its copies not counted, where that was measured. Workers are absent until
/// `set_present`; what an absent worker had reserved is queued again.
template <class P>
concept PlanningPolicy = Policy<P> &&
    requires(P policy, TaskRecord& task, WorkerId worker, const TaskCosts& costs, double now) {
  { policy.submitted(task.group, costs.seconds) } -> std::same_as<void>;
  { policy.push(task, costs) } -> std::same_as<void>;
  { policy.pop(worker, now) } -> std::same_as<Decision>;
  { policy.another(worker, now) } -> std::same_as<TaskRecord*>;
  { policy.reserve(worker, now) } -> std::same_as<TaskRecord*>;
  { policy.hold(worker, task) } -> std::same_as<void>;
  { policy.forget(worker, task) } -> std::same_as<void>;
  { policy.finished(worker, task.owner, now, std::optional<double>(now)) } -> std::same_as<void>;
  { policy.set_present(worker, true) } -> std::same_as<void>;
  { policy.set_tail(task, now) } -> std::same_as<void>;
  { policy.set_outstanding(Outstanding{}) } -> std::same_as<void>;
};

}  // namespace starpath
