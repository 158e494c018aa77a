// The policy inside a node.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sched_policies/core/policy.hpp"

namespace starpath::lab {

/// Which of the ready tasks of a node a worker runs next. Not thread-safe.
class NodeScheduler {
 public:
  virtual ~NodeScheduler() = default;
  /// `seconds`: estimates by class; NaN where not known, infinity where the task cannot run.
  virtual void push(TaskRecord& task, const std::vector<double>& seconds, double now) = 0;
  virtual TaskRecord* pop(WorkerId worker, double now) = 0;
  /// The worker has finished a task that was popped for it.
  virtual void finished(WorkerId worker, const TaskRecord& task, double now) = 0;
  /// Whether it looks at times.
  virtual bool uses_estimates() const = 0;
  /// Whether it plans which worker runs which task, so that nobody else may choose.
  virtual bool plans() const = 0;
};

/// A policy of Starpath that needs no more than a task's record and its times. Throws Error (usage) for others: apex
/// would run here as another policy, without the copies and coming tasks that it plans with.
/// Both arguments outlive the scheduler.
std::unique_ptr<NodeScheduler> make_scheduler(const std::string& policy, const Machine& machine,
                                              const EligibilityTable& eligibility);

}  // namespace starpath::lab
