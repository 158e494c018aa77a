// Tasks for a policy that plans in time: it hears of submissions, costs and ends, and may leave a worker idle.
#pragma once
#include <memory>
#include <vector>

#include "sched_policies/adapter/batches.hpp"
#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/record_pool.hpp"
#include "sched_policies/adapter/strategy.hpp"
#include "sched_policies/adapter/task_flow.hpp"

namespace starpath {

/// Hands tasks to workers, starts copies and wakes workers that wait. A turn under the lock begins with what was left
/// in the meantime (TaskFlow). A worker is busy with a task from being handed it until its execution ends, whether
/// StarPU reports that or not (ExecutionWatch).
class PlanningStrategy final : public Strategy {
 public:
  PlanningStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue, Planner& policy);

  void push(starpu_task& task) override;
  starpu_task* pop(WorkerId worker) override;
  void submitted(starpu_task& task) override;
  void diverted() override;
  void started_other(WorkerId worker) override { tasks_.looked(worker); }
  void bound(starpu_task& task, WorkerId worker) override;
  void workers_left() override;
  bool follows(WorkerId /*worker*/) const override { return true; }
  void started_unseen(WorkerId worker, starpu_task& task) override;
  void finished(const starpu_task& task, const Execution& execution) override;
  void finished_unreported(const ExecutionWatch::UnreportedEnd& end) override;
  void ended_elsewhere(starpu_task& task) override;

 private:
  struct Taken {
    PlannedTask* record = nullptr;  // nullptr: nothing
    bool prepared = false;          // whether StarPU was asked about the task since it was queued
  };
  // planning_strategy.cpp
  Taken take(WorkerId worker);
  Taken choose(WorkerId worker, Decision& decision) STARPATH_REQUIRES(context_lock);
  std::vector<int> declined(WorkerId worker, const Decision& decision) STARPATH_REQUIRES(context_lock);
  bool came_meanwhile(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void refuse(PlannedTask& record, WorkerId worker);
  std::vector<Fetch> to_fetch() STARPATH_REQUIRES(context_lock);
  void start(std::vector<Fetch> fetches);
  void note_presence() STARPATH_REQUIRES(context_lock);
  // planning_batches.cpp
  void fill_batch(WorkerId worker) STARPATH_REQUIRES(context_lock);
  PlannedTask* take_from_batch(WorkerId owner, WorkerId worker);
  PlannedTask* take_from_others(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void give_back_batch(WorkerId worker) STARPATH_REQUIRES(context_lock);

  struct alignas(64) Asker {  // each its own thread's
    double again = 0;         // when a worker asks again though nobody told it of a task, seconds
  };

  const ContextFacts& context_;
  const std::unique_ptr<PolicyQueue> queue_ STARPATH_PT_GUARDED_BY(context_lock);
  Planner& policy_ STARPATH_GUARDED_BY(context_lock);  // the same
  ReadyTasks tasks_;
  RecordPool<PlannedTask> records_;
  TaskFlow flow_;
  Batches batches_;
  std::vector<Asker> askers_;
};

}  // namespace starpath
