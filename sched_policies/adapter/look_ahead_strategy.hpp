// Tasks in the policy's order, but accelerators reserve some ahead of time and prefer those whose data they hold.
#pragma once
#include <memory>
#include <vector>

#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/look_ahead.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/record_pool.hpp"
#include "sched_policies/adapter/strategy.hpp"

namespace starpath {

/// STARPATH_LOCALITY, STARPATH_PREFETCH, and policies that request tasks ahead. Every task is prepared under the lock.
class LookAheadStrategy final : public Strategy {
 public:
  LookAheadStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue);

  void push(starpu_task& task) override;
  starpu_task* pop(WorkerId worker) override;
  void diverted() override { tasks_.call_another(); }
  void started_other(WorkerId worker) override { tasks_.looked(worker); }
  void workers_left() override;
  bool follows(WorkerId worker) const override;
  void finished(const starpu_task& task, const Execution& execution) override;
  void finished_unreported(const ExecutionWatch::UnreportedEnd& end) override;

 private:
  ReservableTask* take(WorkerId worker) STARPATH_REQUIRES(context_lock);
  ReservableTask* take_ahead(WorkerId worker) STARPATH_REQUIRES(context_lock);
  ReservableTask* take_from_line(WorkerId worker) STARPATH_REQUIRES(context_lock);
  ReservableTask* take_queued(WorkerId worker) STARPATH_REQUIRES(context_lock);
  ReservableTask* take_reserved(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void park(ReservableTask& record) STARPATH_REQUIRES(context_lock);
  void enqueue(ReservableTask& record) STARPATH_REQUIRES(context_lock);
  void hold(ReservableTask& record, WorkerId worker) STARPATH_REQUIRES(context_lock);
  std::vector<ReservableTask*> choose_reservations(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void reserve(WorkerId worker, const std::vector<ReservableTask*>& fresh);
  void give_back_reservations() STARPATH_REQUIRES(context_lock);

  const ContextFacts& context_;
  const std::unique_ptr<PolicyQueue> queue_ STARPATH_PT_GUARDED_BY(context_lock);
  ReadyTasks tasks_;
  RecordPool<ReservableTask> records_;
  LookAhead look_ahead_;
};

}  // namespace starpath
