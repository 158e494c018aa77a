// Tasks that are worth a plan go to a policy that plans, and short ones past it.
#pragma once
#include <atomic>
#include <memory>

#include "sched_policies/adapter/plain_strategy.hpp"
#include "sched_policies/adapter/planning_strategy.hpp"
#include "sched_policies/core/short_tasks.hpp"

namespace starpath {

/// PlanningStrategy for tasks that are worth a plan, and PlainStrategy for tasks that are too short for one
/// (ShortTasks). To each of the two, a task of the other one is like a task that went past the policy. For cores that
/// poll: there a plan decides only the order of tasks.
///
/// A task is short or not from its submission on. A worker looks first for tasks of the kind that is not submitted now,
/// so that none of them stays behind.
class ShortTaskStrategy final : public Strategy {
 public:
  /// `short_queue` is for short tasks, `planned_queue` for the others; `planner` is the policy in the latter.
  ShortTaskStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> short_queue,
                    std::unique_ptr<PolicyQueue> planned_queue, Planner& planner);

  /// Whether short tasks can be told apart in the context, and should be.
  static bool wanted(const ContextFacts& context);

  void push(starpu_task& task) override;
  starpu_task* pop(WorkerId worker) override;
  void submitted(starpu_task& task) override;
  void diverted() override;
  void started_other(WorkerId worker) override;
  void bound(starpu_task& task, WorkerId worker) override;
  void workers_left() override;
  bool follows(WorkerId /*worker*/) const override { return true; }
  void started_unseen(WorkerId worker, starpu_task& task) override { planned_.started_unseen(worker, task); }
  void finished(const starpu_task& task, const Execution& execution) override;
  void finished_unreported(const ExecutionWatch::UnreportedEnd& end) override { planned_.finished_unreported(end); }
  void ended_elsewhere(starpu_task& task) override { planned_.ended_elsewhere(task); }

 private:
  starpu_task* pop_short(WorkerId worker);
  starpu_task* pop_planned(WorkerId worker);

  const ContextFacts& context_;
  Waiters short_waiters_;  // workers that found no short task
  const ContextFacts short_facts_;
  ShortTasks lengths_;
  std::atomic<bool> short_lately_ = false;  // whether the task that was submitted last is short
  PlainStrategy short_;
  PlanningStrategy planned_;
};

}  // namespace starpath
