// Tasks in the policy's order, nothing else.
#include "sched_policies/adapter/plain_strategy.hpp"

#include <utility>

#include "sched_policies/adapter/turn.hpp"

namespace starpath {

PlainStrategy::PlainStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue)
    : context_(context), queue_(std::move(queue)), tasks_(context, queue_->eligibility()) {}

void PlainStrategy::push(starpu_task& task) {
  const ReadyTasks::Look look = tasks_.look_at(task);
  Turn turn(tasks_.mutex());
  QueuedTask& record = *records_.take();
  tasks_.fill(record, task, look);
  if (tasks_.admit(record, look.able ? &*look.able : nullptr, look.types) &&
      !tasks_.keeps(record, look.estimates.seconds, look.estimates.never_known, look.first_samples)) {
    queue_->push(record);
  }
  tasks_.queued.fetch_add(1);
  starpu_push_task_end(&task);
  turn.wake(tasks_.choose_wakes());
}

starpu_task* PlainStrategy::pop(WorkerId worker) {
  if (tasks_.waits(worker) || !tasks_.any(worker)) return nullptr;
  const QueuedTask* const record = tasks_.next_runnable(
      worker, [&] { return take(worker); }, [&](QueuedTask& refused) { refuse(refused, worker); });
  if (record == nullptr) return nullptr;
  context_.taken(worker, *record);
  context_.predict(worker, *record);
  return tasks_.hand_over(*record->task(), worker);
}

PlainStrategy::Taken PlainStrategy::take(WorkerId worker) {
  Taken taken;
  Turn turn(tasks_.mutex());
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
  if (tasks_.queued.load(std::memory_order_relaxed) != 0) turn.wake(tasks_.choose_wakes());
  return taken;
}

QueuedTask* PlainStrategy::take_queued(WorkerId worker) {
  for (TaskRecord* const released : tasks_.release(worker).kept) {
    if (!tasks_.look_again(static_cast<QueuedTask&>(*released))) queue_->push(*released);
  }
  return tasks_.next<QueuedTask>(
      worker, [&]() STARPATH_REQUIRES(context_lock) { return static_cast<QueuedTask*>(queue_->pop(worker)); },
      [](QueuedTask& /*kept*/) {});
}

void PlainStrategy::workers_left() {
  const Turn turn(tasks_.mutex());
  tasks_.note_presence();
}

/// `worker` took a task that it cannot run after all.
void PlainStrategy::refuse(QueuedTask& record, WorkerId worker) {
  Turn turn(tasks_.mutex());
  records_.take_back_last(worker);
  tasks_.park(record);
  tasks_.queued.fetch_add(1);
  turn.wake(tasks_.choose_wakes());
}

}  // namespace starpath
