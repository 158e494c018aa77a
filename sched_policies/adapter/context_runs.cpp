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
  if (const auto over = watch_->starts(worker)) end_unreported(worker, *over);
  const bool teaches = teaches_ && parts->estimates.wants(task, worker);
  const bool checks = checks_estimates_ && !teaches_;  // else what it learns from is enough
  if (!teaches && !checks && !observed_ && !measures(worker)) return;
  const bool ends_unseen = watch_->started(worker, task, teaches);
  // A worker that counts as busy for ever would be waited for. So this one counts as idle from now on.
  if (ends_unseen && planning_ != nullptr) {
    end_run(worker, {.task = &task,
                     .ticket = task.no_submitorder != 0 ? ticket_of(task) : TaskGraph::kNoTicket,
                     .now = starpu_timing_now() * 1e-6});
  }
}

void Context::post_exec(starpu_task& task) {
  SharedState::Ready* const parts = ready_.load(std::memory_order_acquire);
  if (parts == nullptr) return;
  const int self = starpu_worker_get_id();  // below 0: the last end dependency was released by a thread of its own
  const auto worker = static_cast<WorkerId>(self);
  const auto execution = watch_ && self >= 0 ? watch_->finished(worker, task) : std::nullopt;
  if (planning_ != nullptr) {
    if (execution) {
      end_run(
          worker,
          {.task = &task, .ticket = ticket_of(task), .now = execution->finished * 1e-6, .ran = execution->seconds()});
    } else {
      ended_elsewhere(task);
    }
  }
  if (!execution) return;
  if (execution->teaches) parts->estimates.learn(task, worker, execution->seconds());
  report_run(*execution);
}

/// A worker's run is over, and its worker did not say so.
void Context::end_unreported(WorkerId worker, const RunWatch::UnreportedEnd& end) {
  if (planning_ != nullptr && !end.foreseen) {
    // With end dependencies the task has not ended, though its worker is free.
    end_run(worker, {.task = end.task,
                     .ticket = end.internal ? ticket_in(end.sched_data) : TaskGraph::kNoTicket,
                     .now = end.execution.finished * 1e-6});
  }
  if (!end.internal) report_run(end.execution);
}

void Context::report_run(const Execution& run) {
  if (measures(run.worker)) look_ahead_->finished(run.worker, run.finished, run.seconds());
  ready_.load(std::memory_order_relaxed)->finished(run);
}

}  // namespace starpath
