// Tasks for a policy that plans in time: it hears of submissions, costs and ends, and may leave a worker idle.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "sched_policies/adapter/batches.hpp"
#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/copy_costs.hpp"
#include "sched_policies/adapter/inbox.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/record_pool.hpp"
#include "sched_policies/adapter/strategy.hpp"

namespace starpath {

/// Submissions, arrivals and ends take no lock of their own: they wait in the inbox until somebody takes the lock, who
/// first takes them in (`catch_up`). A worker is busy with a task from being handed it until its execution ends,
/// whether StarPU reports that or not (ExecutionWatch).
class PlanningStrategy final : public Strategy {
 public:
  PlanningStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue, PlanningQueue& policy);

  void push(starpu_task& task) override;
  starpu_task* pop(WorkerId worker) override;
  void submitted(starpu_task& task) override;
  void diverted() override;
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
  /// What no other submission of any context has; 0 for a task that this one was not told of.
  std::uint64_t unique(std::uint32_t submission) const { return submission == 0 ? 0 : generation_ << 32 | submission; }
  // planning_arrivals.cpp
  template <class Slot>
  Slot& slot(Slot* (Inbox::*look)());
  void catch_up();
  void take_in(const Inbox::Submission& submission);
  void take_in(Inbox::Arrival& arrival);
  void take_in(WorkerId worker, const Inbox::End& end);
  TaskGraph::Work work_of(const ClassSeconds& by_class) const;
  void enter(PlannedTask& record, TaskCosts& costs, const ClassSet& never_known, std::uint64_t first_samples);
  void enter_again(PlannedTask& record, const TaskEstimates& estimates, std::uint64_t first_samples);
  void release_kept();
  void weigh(const PlannedTask& record, const ClassSeconds& seconds);
  void end_run(WorkerId worker, const Inbox::End& end);
  // planning_strategy.cpp
  Taken take(WorkerId worker);
  Taken choose(WorkerId worker, Decision& decision);
  PlannedTask* plan(WorkerId worker, Decision& decision);
  std::vector<int> declined(WorkerId worker, const Decision& decision);
  bool came_meanwhile(WorkerId worker);
  void refuse(PlannedTask& record, WorkerId worker);
  std::vector<Fetch> to_fetch();
  void start(std::vector<Fetch> fetches);
  void note_presence();
  // planning_batches.cpp
  void fill_batch(WorkerId worker);
  PlannedTask* take_from_batch(WorkerId owner, WorkerId worker);
  PlannedTask* take_from_others(WorkerId worker);
  void give_back_batch(WorkerId worker);

  struct alignas(64) Asker {  // each its own thread's
    double again = 0;         // when a worker asks again though nobody told it of a task, seconds
  };

  const std::uint64_t generation_;  // StarPU gives a context the number of one that is gone
  const ContextFacts& context_;
  const std::unique_ptr<PolicyQueue> queue_;
  PlanningQueue& policy_;  // the same; it and what follows are the lock's, but for what says otherwise
  ReadyTasks tasks_;
  RecordPool<PlannedTask> records_;
  TaskGraph graph_;
  const CopyCosts copies_;
  Batches batches_;
  Inbox inbox_;
  std::vector<Asker> askers_;
};

}  // namespace starpath
