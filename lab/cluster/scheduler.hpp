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
  virtual TaskRecord* pop(WorkerId worker) = 0;
};

/// "heft", or a policy of Starpath that does not plan in time. What a policy needs of a task is in its record. Throws
/// Error (usage) for others: one that plans would run here as another policy, without what it plans with.
/// Both arguments outlive the scheduler.
std::unique_ptr<NodeScheduler> make_scheduler(const std::string& policy, const Machine& machine,
                                              const EligibilityTable& eligibility);

}  // namespace starpath::lab
