// One scheduling context under a policy that plans: tasks so short that a worker takes several at once.
#include "sched_policies/adapter/context.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/core/fetch_ahead.hpp"

namespace starpath {
namespace {

constexpr std::size_t kJob = 13 * 64;  // bytes of StarPU's part of a task

double now() { return starpu_timing_now() * 1e-6; }

}  // namespace

/// StarPU looks at more of a task than we do.
void Context::Own::fetch_task(std::size_t place) const {
  if (place < handful.size()) fetch_ahead(parts[place].task, sizeof(starpu_task));
}
void Context::Own::fetch_job(std::size_t place) const {
  if (place < handful.size()) fetch_ahead(parts[place].job, kJob);
}

/// `worker` was just given a task: more like it, if they are short. Where workers wait to be told of tasks, none: what
/// is in a handful they are not told of.
void Context::fill_handful(WorkerId worker) {
  if (kWorkersSleep || waiters_.any()) return;
  Handful& own = own_[worker].handful;
  own.clear();
  const double time = now();
  while (!own.full()) {
    TaskRecord* const chosen = planning_->another(worker, time);
    if (chosen == nullptr) break;
    auto& record = static_cast<QueuedTask&>(*chosen);
    graph_.fetch(record.ticket);
    fetch_ahead(&record.task()->starpu_private);
    --queued_in_group_[record.group];
    own.add(record);
  }
  if (own.size() == 0) return;
  auto& parts = own_[worker].parts;
  for (std::size_t i = 0; i < own.size(); ++i) {
    graph_.begin(own[i].owner, own[i].ticket);
    parts[i] = {.task = own[i].owner, .job = own[i].task()->starpu_private};
  }
  for (const std::size_t soon : {0, 1}) own_[worker].fetch_task(soon);
  own_[worker].fetch_job(0);
  own.close(time);
}

/// By `worker`: its own at any time, another's under the lock.
QueuedTask* Context::take_from_handful(WorkerId owner, WorkerId worker) {
  Handful& handful = own_[owner].handful;
  const Handful::Taken taken = handful.take();
  if (taken.record == nullptr) return nullptr;
  const std::size_t next = taken.place + 1;
  if (next == handful.size()) {
    queued_.fetch_sub(next);  // all at once: that others look in vain costs less
  } else if (owner == worker) {
    own_[worker].fetch_job(next);
    own_[worker].fetch_task(next + 1);
  }
  own_[worker].handed_out.push_back(taken.record);
  return taken.record;
}

/// What another worker has not come to: a task takes longer than anybody thought, or it works for another context.
QueuedTask* Context::take_from_others(WorkerId worker) {
  if (!handfuls_of_others(worker)) return nullptr;
  const double time = now();
  for (WorkerId other = 0; other < queue_->machine().workers(); ++other) {
    const Handful& handful = own_[other].handful;
    const QueuedTask* const next = handful.next();
    if (other == worker || next == nullptr || time < handful.closed() + kHandfulsLast) continue;
    if (!queue_->eligibility().contains(next->group, worker)) continue;  // all of a handful are of one group
    QueuedTask* const record = take_from_handful(other, worker);
    if (record == nullptr) continue;
    planning_->finished(other, record->owner, time, std::nullopt);
    return record;
  }
  return nullptr;
}

bool Context::handfuls_of_others(WorkerId worker) const {
  if (kWorkersSleep) return false;
  for (WorkerId other = 0; other < queue_->machine().workers(); ++other) {
    if (other != worker && !own_[other].handful.empty()) return true;
  }
  return false;
}

/// Under the lock, when `worker` has left the context: its tasks are queued again.
void Context::give_back_handful(WorkerId worker) {
  Handful& handful = own_[worker].handful;
  std::size_t back = 0;
  bool last = false;
  for (Handful::Taken taken; (taken = handful.take()).record != nullptr; ++back) {
    last = taken.place + 1 == handful.size();
    planning_->finished(worker, taken.record->owner, now(), std::nullopt);
    taken.record->sequence = next_sequence_++;
    TaskCosts costs = costs_of(*taken.record->task());
    enter(*taken.record, &costs);
  }
  // As many as it held count as queued, until one takes the last.
  if (back > 0) queued_.fetch_add(last ? back - handful.size() : back);
}

}  // namespace starpath
