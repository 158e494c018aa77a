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
    if (observed) executions.taken(worker, record, predict(*record.task(), worker));
  }

  /// Seconds that the task is expected to run on the worker. The task says so too from now on, for tools that read what
  /// StarPU's own policies write into it.
  std::optional<double> predict(starpu_task& task, WorkerId worker) const {
    if (!uses_estimates) return std::nullopt;
    const auto expected = estimates.of(task).seconds[machine.class_of(worker)];
    if (expected) task.predicted = *expected * 1e6;
    return expected;
  }
};

}  // namespace starpath
