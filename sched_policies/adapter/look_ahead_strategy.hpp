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
  void workers_left() override;
  bool follows(WorkerId worker) const override;
  void finished(const starpu_task& task, const Execution& execution) override;
  void finished_unreported(const ExecutionWatch::UnreportedEnd& end) override;

 private:
  ReservableTask* take(WorkerId worker);
  ReservableTask* take_ahead(WorkerId worker);
  ReservableTask* take_from_line(WorkerId worker);
  ReservableTask* take_queued(WorkerId worker);
  ReservableTask* take_reserved(WorkerId worker);
  void park(ReservableTask& record);
  void enqueue(ReservableTask& record);
  void hold(ReservableTask& record, WorkerId worker);
  std::vector<ReservableTask*> choose_reservations(WorkerId worker);
  void reserve(WorkerId worker, const std::vector<ReservableTask*>& fresh);
  void give_back_reservations();

  const ContextFacts& context_;
  const std::unique_ptr<PolicyQueue> queue_;  // what it points to is the lock's
  ReadyTasks tasks_;
  RecordPool<ReservableTask> records_;
  LookAhead look_ahead_;  // the lock's, but for what it says
};

}  // namespace starpath
