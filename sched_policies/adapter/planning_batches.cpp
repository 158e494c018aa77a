// Tasks so short that a worker takes several at once.
#include "sched_policies/adapter/clock.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/adapter/planning_strategy.hpp"

namespace starpath {

/// `worker` was just given a task: it takes more like it along, if they are short. Where workers wait to be told of
/// tasks it takes none, as they are not told of tasks in a batch.
void PlanningStrategy::fill_batch(WorkerId worker) {
  if (kWorkersSleep || context_.waiters.any()) return;
  const auto next = [&]() STARPATH_REQUIRES(context_lock) { return flow_.another(worker); };
  batches_.fill(worker, flow_.now(), next,
                [&](PlannedTask& record) STARPATH_REQUIRES(context_lock) { flow_.begin(record); });
}

/// By `worker`, which takes from its own batch at any time, and from another worker's under the lock.
PlannedTask* PlanningStrategy::take_from_batch(WorkerId owner, WorkerId worker) {
  const Batches::Taken taken = batches_.take(owner, worker);
  if (taken.record == nullptr) return nullptr;
  if (taken.emptied != 0) tasks_.queued.fetch_sub(taken.emptied);  // all at once: that others look in vain costs less
  records_.hand_out(worker, taken.record);
  return taken.record;
}

/// A task that another worker took along and has not come to: one before it takes longer than anybody thought, or that
/// worker works for another context.
PlannedTask* PlanningStrategy::take_from_others(WorkerId worker) {
  if (kWorkersSleep || !batches_.others_have_any(worker)) return nullptr;
  const double now = seconds_now();
  for (WorkerId other = 0; other < context_.machine.workers(); ++other) {
    const Batch& batch = batches_.of(other);
    const PlannedTask* const next = batch.next();
    if (other == worker || next == nullptr || now < batch.closed() + Batches::kLast) continue;
    if (!queue_->eligibility().contains(next->group, worker)) continue;  // all of a batch are of one group
    PlannedTask* const record = take_from_batch(other, worker);
    if (record == nullptr) continue;
    policy_.finished(other, record->owner, now, std::nullopt);
    return record;
  }
  return nullptr;
}

/// Under the lock, when `worker` has left the context: its tasks are queued again.
void PlanningStrategy::give_back_batch(WorkerId worker) {
  std::size_t back = 0;
  std::size_t emptied = 0;
  for (Batches::Taken taken; (taken = batches_.take(worker, worker)).record != nullptr; ++back) {
    emptied = taken.emptied;
    policy_.finished(worker, taken.record->owner, seconds_now(), std::nullopt);
    tasks_.count(*taken.record);
    flow_.enter_again(*taken.record);
  }
  // All tasks of a batch count as queued until the last one is taken.
  if (back > 0) tasks_.queued.fetch_add(back - emptied);
}

}  // namespace starpath
