// What a scheduling policy is: the contract that every policy meets.
#pragma once
#include <concepts>
#include <cstddef>
#include <string_view>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// The name and facts a user sees of a policy.
struct PolicyInfo {
  std::string_view name;         ///< value of STARPU_SCHED
  std::string_view description;  ///< one line
  bool uses_estimates;           ///< reads TaskRecord::speedups; else none are computed
  bool uses_codelets = false;    ///< reads TaskRecord::codelet; else it is 0 for all tasks
  bool requests_ahead = false;   ///< accelerators reserve tasks ahead, in windows that Dqaa sizes
  bool fetches = false;          ///< plans, and says whose copies should start
  /// Orders tasks by what waits for them. So run times matter where all workers are alike, and a Planner is told of
  /// submissions.
  bool ranks = false;
  bool asks_models = false;  ///< by default StarPU's performance models say what samples do not
};

/// What a policy is built with. Both outlive it; the table grows while the policy lives.
struct PolicyEnvironment {
  const Machine& machine;
  const EligibilityTable& eligibility;
};

/// A policy: a passive ordering of queued tasks. It has no locks, no clock and no threads; its caller serialises all
/// calls. Invariants that every policy keeps, and that support/policy_simulation.hpp checks:
///   1. `pop(w)` returns a task whose group contains w, or nullptr only when no queued task's group contains w.
///   2. Each pushed task is returned exactly once. A task may be pushed again after it was popped. The caller numbers
///      pushes: TaskRecord::sequence grows with each push.
///   3. The order depends on the records alone (never on addresses), so equal runs give equal orders.
///   4. push and pop are O(log n) in the queued tasks, and linear at most in the groups and codelets with queued tasks.
template <class P>
concept Policy = requires(P policy, const P& fixed, TaskRecord& task, WorkerId worker, PolicyEnvironment environment) {
  { P::kInfo } -> std::convertible_to<const PolicyInfo&>;
  P{environment};
  { policy.push(task) } -> std::same_as<void>;
  { policy.pop(worker) } -> std::same_as<TaskRecord*>;
  { fixed.size() } -> std::convertible_to<std::size_t>;
};

}  // namespace starpath
