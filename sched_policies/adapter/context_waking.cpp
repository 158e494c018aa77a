// One scheduling context under one policy: who waits for tasks, and who gets woken.
#include <bitset>

#include "sched_policies/adapter/context.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

void Context::wake(const std::vector<int>& workers) {
  for (const int worker : workers) starpu_wake_worker_relax_light(worker);
}

bool Context::has_work_for(WorkerId worker) const {
  if (!parked_.empty()) return true;
  for (GroupId group = 0; group < queued_in_group_.size(); ++group) {
    if (queued_in_group_[group] != 0 && queue_->eligibility().contains(group, worker)) return true;
  }
  return false;
}

/// Tells one waiting worker that there is something for it; returns whom to wake once the lock is released. A worker
/// of several contexts may be busy in another one, so it counts as told but the next one is told too.
std::vector<int> Context::choose_wakes() {
  std::vector<int> wakes;
  if (!waiters_.any()) return wakes;
  std::bitset<kMaxDeviceClasses> told;  // what one of a class leaves to another class, all of it would
  for_each_worker(id_, [&](WorkerId worker) {
    if (!waiters_.contains(worker) || !has_work_for(worker)) return true;
    const ClassId own = queue_->machine().class_of(worker);
    if (told[own]) return true;
    waiters_.erase(worker);
    if (kWorkersSleep) wakes.push_back(static_cast<int>(worker));
    if (planning_ != nullptr) {
      told.set(own, starpu_sched_ctx_overlapping_ctxs_on_worker(static_cast<int>(worker)) == 0);
      return !told.all();
    }
    return starpu_sched_ctx_overlapping_ctxs_on_worker(static_cast<int>(worker)) != 0;
  });
  return wakes;
}

/// StarPU calls no hook when workers leave a context, and the one that was told of a task may be among them.
void Context::notice_removed_workers() {
  const unsigned now = starpu_sched_ctx_get_nworkers(id_);
  if (workers_seen_.load(std::memory_order_relaxed) == now) return;
  workers_seen_.store(now);
  waiters_.clear();
  if (ready_.load(std::memory_order_acquire) == nullptr) return;
  if (planning_ == nullptr && !look_ahead_) return;
  const RelaxedLock lock(mutex_.get());
  catch_up();
  if (planning_ != nullptr) note_presence();
  if (look_ahead_) give_back_reservations();
}

void Context::add_workers(const int* workers, unsigned count) {
  workers_seen_.store(0);  // whoever asks next looks: others may have left meanwhile
  const int self = starpu_worker_get_id();
  for (unsigned i = 0; i < count; ++i) {
    starpu_sched_ctx_worker_shares_tasks_lists(workers[i], static_cast<int>(id_));
    waiters_.erase(static_cast<WorkerId>(workers[i]));  // tasks may have been queued while it was elsewhere
    if (workers[i] != self) starpu_wake_worker_locked(workers[i]);
  }
}

}  // namespace starpath
