// Tasks in the policy's order, nothing else.
#include "sched_policies/adapter/plain_strategy.hpp"

#include <utility>

namespace starpath {

PlainStrategy::PlainStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue)
    : context_(context), queue_(std::move(queue)), tasks_(context, queue_->eligibility()) {}

void PlainStrategy::push(starpu_task& task) {
  const ReadyTasks::Look look = tasks_.look_at(task);
  std::vector<int> wakes;
  {
    const RelaxedLock lock(tasks_.mutex().get());
    QueuedTask& record = *records_.take();
    tasks_.fill(record, task, look);
    if (tasks_.admit(record, look.able ? &*look.able : nullptr, look.types) &&
        !tasks_.keeps(record, look.estimates.seconds, look.estimates.never_known, look.first_samples)) {
      queue_->push(record);
    }
    tasks_.queued.fetch_add(1);
    starpu_push_task_end(&task);
    wakes = tasks_.choose_wakes();
  }
  ReadyTasks::wake(wakes);
}

starpu_task* PlainStrategy::pop(WorkerId worker) {
  if (context_.waiters.contains(worker) || !tasks_.any(worker)) return nullptr;
  const QueuedTask* const record = tasks_.next_runnable(
      worker, [&] { return take(worker); }, [&](QueuedTask& refused) { refuse(refused, worker); });
  if (record == nullptr) return nullptr;
  context_.taken(worker, *record);
  return tasks_.hand_over(*record->task(), worker);
}

PlainStrategy::Taken PlainStrategy::take(WorkerId worker) {
  std::vector<int> wakes;
  Taken taken;
  {
    const RelaxedLock lock(tasks_.mutex().get());
    records_.recycle(worker);
    if (QueuedTask* const parked = tasks_.take_parked(worker)) {
      taken = {.record = parked, .prepared = true};
    } else if (QueuedTask* const record = take_queued(worker)) {
      tasks_.count_out(*record);
      taken = {.record = record};
    }
    if (taken.record != nullptr) {
      records_.hand_out(worker, taken.record);
      tasks_.queued.fetch_sub(1);
    } else if (tasks_.may_wait()) {
      context_.waiters.insert(worker);
    }
    if (tasks_.queued.load(std::memory_order_relaxed) != 0) wakes = tasks_.choose_wakes();
  }
  ReadyTasks::wake(wakes);
  return taken;
}

QueuedTask* PlainStrategy::take_queued(WorkerId worker) {
  for (TaskRecord* const released : tasks_.release_kept()) {
    if (!tasks_.look_again(static_cast<QueuedTask&>(*released))) queue_->push(*released);
  }
  return tasks_.next<QueuedTask>(
      worker, [&] { return static_cast<QueuedTask*>(queue_->pop(worker)); }, [](QueuedTask& /*kept*/) {});
}

void PlainStrategy::workers_left() {
  const RelaxedLock lock(tasks_.mutex().get());
  tasks_.note_presence();
}

/// `worker` took a task that it cannot run after all.
void PlainStrategy::refuse(QueuedTask& record, WorkerId worker) {
  std::vector<int> wakes;
  {
    const RelaxedLock lock(tasks_.mutex().get());
    records_.take_back_last(worker);
    tasks_.park(record);
    tasks_.queued.fetch_add(1);
    wakes = tasks_.choose_wakes();
  }
  ReadyTasks::wake(wakes);
}

}  // namespace starpath
