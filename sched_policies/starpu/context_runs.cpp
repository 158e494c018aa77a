// One scheduling context under one policy: what it learns of tasks that run.
#include "sched_policies/starpu/context.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

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

void Context::pre_exec(starpu_task& task) {
  const auto worker = static_cast<WorkerId>(starpu_worker_get_id_check());
  waiters_.erase(worker);
  if (observed_ || taught_) make_ready();  // it may have come past the policy, before any that did not
  if (ready_.load(std::memory_order_acquire) != nullptr && watch_) watch_->started(worker, task);
}

void Context::post_exec(starpu_task& task) {
  SharedState::Ready* const parts = ready_.load(std::memory_order_acquire);
  if (parts == nullptr || !watch_) return;
  const auto worker = static_cast<WorkerId>(starpu_worker_get_id_check());
  const auto execution = watch_->finished(worker, task);
  if (!execution) return;
  if (parts->estimates.learns_under(info_.uses_estimates)) parts->estimates.learn(task, worker, execution->seconds());
  if (look_ahead_ && look_ahead_->measures()) {
    const RelaxedLock lock(mutex_.get());
    look_ahead_->finished(worker, execution->finished, execution->seconds());
  }
  parts->finished(*execution);
}

}  // namespace starpath
