// One scheduling context under one policy: what it learns of tasks that run.
#include "sched_policies/adapter/context.hpp"

namespace starpath {

/// A worker without work takes in what was measured since.
void Context::idle(WorkerId worker) {
  SharedState::Ready* const parts = ready_.load(std::memory_order_acquire);
  if (parts != nullptr && parts->estimates.learns()) parts->estimates.flush(worker);
}

void Context::push_notify(int worker) {
  // It is about to be busy with a task that went past the policy: whoever is told of the next task, not this one.
  waiters_.erase(static_cast<WorkerId>(worker));
}

/// Whether looking ahead wants to know what the tasks of `worker` take.
bool Context::measures(WorkerId worker) const {
  return look_ahead_ && look_ahead_->measures() && queue_->machine().kind_of(worker) == DeviceKind::accelerator;
}

void Context::pre_exec(starpu_task& task) {
  const auto worker = static_cast<WorkerId>(starpu_worker_get_id_check());
  waiters_.erase(worker);
  if (observed_ || taught_) make_ready();  // it may have come past the policy, before any that did not
  SharedState::Ready* const parts = ready_.load(std::memory_order_acquire);
  if (parts == nullptr || !watch_) return;
  const bool teaches = teaches_ && parts->estimates.wants(task, worker);
  const bool checks = checks_estimates_ && !teaches_;  // else what it learns from is enough
  if (teaches || checks || observed_ || measures(worker)) watch_->started(worker, task, teaches);
}

void Context::post_exec(starpu_task& task) {
  SharedState::Ready* const parts = ready_.load(std::memory_order_acquire);
  if (parts == nullptr) return;
  const auto worker = static_cast<WorkerId>(starpu_worker_get_id_check());
  const auto execution = watch_ ? watch_->finished(worker, task) : std::nullopt;
  if (planning_ != nullptr) {
    waiters_.erase(worker);  // what it left while it had this to finish it may take now
    const Inbox::End end{.task = &task,
                         .ticket = ticket_of(task),
                         .now = (execution ? execution->finished : starpu_timing_now()) * 1e-6,
                         .ran = execution ? std::optional(execution->seconds()) : std::nullopt};
    if (!inbox_->leave(worker, end)) {
      const RelaxedLock lock(mutex_.get());
      catch_up();
      ended(worker, end);
    }
  }
  if (!execution) return;
  if (execution->teaches) parts->estimates.learn(task, worker, execution->seconds());
  if (measures(worker)) look_ahead_->finished(worker, execution->finished, execution->seconds());
  parts->finished(*execution);
}

}  // namespace starpath
