// What a scheduling policy is: the one contract that every policy header meets.
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
/// calls. Invariants that every policy keeps, and that support/policy_simulation.hpp checks:
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

}  // namespace starpath
