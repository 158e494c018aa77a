// Tasks in the policy's order, nothing else.
#pragma once
#include <memory>

#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/record_pool.hpp"
#include "sched_policies/adapter/strategy.hpp"

namespace starpath {

/// A record is touched under the lock only, but by the worker that was handed its task.
class PlainStrategy final : public Strategy {
 public:
  PlainStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue);

  void push(starpu_task& task) override;
  starpu_task* pop(WorkerId worker) override;
  void diverted() override { tasks_.call_another(); }
  void started_other(WorkerId worker) override { tasks_.looked(worker); }
  void workers_left() override;

 private:
  struct Taken {
    QueuedTask* record = nullptr;  ///< nullptr: nothing
    bool prepared = false;         ///< whether StarPU was asked about the task since it was queued
  };
  Taken take(WorkerId worker);
  QueuedTask* take_queued(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void refuse(QueuedTask& record, WorkerId worker);

  const ContextFacts& context_;
  const std::unique_ptr<PolicyQueue> queue_ STARPATH_PT_GUARDED_BY(context_lock);
  ReadyTasks tasks_;
  RecordPool<QueuedTask> records_;
};

}  // namespace starpath
