// What a strategy knows of the context that it works for.
#pragma once
#include "sched_policies/adapter/execution_watch.hpp"
#include "sched_policies/adapter/waiters.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/estimates/estimates.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// Everything referred to outlives the strategy and is thread-safe, or says who may call it.
struct ContextFacts {
  const unsigned id;  ///< StarPU's number of the context
  const PolicyInfo& info;
  const Options& options;
  const Machine& machine;
  Estimates& estimates;
  Waiters& waiters;
  ExecutionWatch& executions;
  const bool observed;        ///< whether the user asked for statistics or a trace
  const bool uses_estimates;  ///< whether the policy asks for estimates, and they can make a difference

  /// `worker` took the task of `record`: for statistics and traces. By the worker's thread.
  void taken(WorkerId worker, const QueuedTask& record) const {
    if (!observed) return;
    std::optional<double> expected;
    if (uses_estimates) expected = estimates.of(*record.task()).seconds[machine.class_of(worker)];
    executions.taken(worker, record, expected);
  }

  /// `worker` took the task of `record`. The task says from now on how long it is expected to run there, as estimated
  /// when it was queued, for tools that read what StarPU's own policies write into it.
  void predict(WorkerId worker, const QueuedTask& record) const {
    if (!uses_estimates) return;
    if (const auto seconds = record.speedups.seconds(machine.class_of(worker))) {
      record.task()->predicted = *seconds * 1e6;
    } else {
      predict(*record.task(), worker);
    }
  }

  /// The same for a task that was not queued, or has no estimate on the baseline class. Returns the seconds.
  std::optional<double> predict(starpu_task& task, WorkerId worker) const {
    const auto expected = estimates.of(task).seconds[machine.class_of(worker)];
    if (expected) task.predicted = *expected * 1e6;
    return expected;
  }
};

}  // namespace starpath
