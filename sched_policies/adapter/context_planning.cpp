// One scheduling context under a policy that plans in time: what it is told, and what it reserves.
#include <cmath>

#include "sched_policies/adapter/context.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {
namespace {

double now() { return starpu_timing_now() * 1e-6; }

}  // namespace

/// StarPU predicts a copy's time as if every device were copying in both directions meanwhile. Ours start ahead and
/// mostly one at a time, so it is taken back.
void Context::add_copies(starpu_task& task, TaskCosts& costs) const {
  if (worker_of_memory_.size() < 2) return;
  costs.copies.fill(0);
  const double alone = 1e-6 / (2 * std::max(1.0, static_cast<double>(device_memories_)));
  for (std::size_t memory = 0; memory < std::min(worker_of_memory_.size(), kMaxMemories); ++memory) {
    const double microseconds = starpu_task_expected_data_transfer_time_for(&task, worker_of_memory_[memory]);
    if (std::isfinite(microseconds) && microseconds > 0) costs.copies[memory] = microseconds * alone;
  }
}

TaskCosts Context::costs_of(starpu_task& task) const {
  TaskCosts costs{.seconds = ready_.load(std::memory_order_relaxed)->estimates.of(task, id_).seconds};
  add_copies(task, costs);
  return costs;
}

/// A room in the inbox; if there is none, once what was left is taken in.
template <class Room>
Room& Context::room(Room* (Inbox::*look)()) {
  Room* found = (*inbox_.*look)();
  while (found == nullptr) {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    found = (*inbox_.*look)();
  }
  return *found;
}

/// A task that StarPU will run on a worker of its choice, of ours or of the application's.
void Context::submitted(starpu_task& task) {
  if (task.cl == nullptr || task.where == STARPU_NOWHERE) return;
  make_ready();
  if (planning_ == nullptr) return;
  SharedState::Ready& parts = *ready_.load(std::memory_order_relaxed);
  const Machine& machine = parts.machine;
  Inbox::Submission& own = room(&Inbox::submission);
  own.task = &task;
  own.old = ticket_of(task);
  own.types = types_of(task);
  own.seconds = parts.estimates.of(task, id_, own.number()).seconds;
  own.work = {};
  double speed = 0;  // tasks of this kind a second, by the whole machine
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const auto seconds = own.seconds[machine.class_of(worker)];
    if (!seconds) continue;
    speed += 1 / *seconds;
    own.work.seconds = own.work.seconds == 0 ? *seconds : std::min(own.work.seconds, *seconds);
  }
  own.work.share = speed > 0 ? 1 / speed : 0;
  own.uses.clear();
  const auto buffers = task.sequential_consistency != 0 ? static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)) : 0;
  for (unsigned i = 0; i < buffers; ++i) {
    const auto mode = static_cast<unsigned>(STARPU_TASK_GET_MODE(&task, i));
    if ((mode & STARPU_SCRATCH) == 0)
      own.uses.push_back({STARPU_TASK_GET_HANDLE(&task, i), (mode & (STARPU_W | STARPU_REDUX)) != 0});
  }
  const std::uint32_t number = own.number();
  mark(task, number, inbox_->leave(own));
}

/// A task that is ready. Under a policy that plans.
void Context::push_planned(starpu_task& task) {
  SharedState::Ready& parts = *ready_.load(std::memory_order_relaxed);
  Inbox::Arrival& own = room(&Inbox::arrival);
  QueuedTask& record = *own.record;
  const TaskEstimates& estimates = parts.estimates.of(task, id_, submission_of(task));
  record.owner = &task;
  own.ticket = record.ticket = ticket_of(task);
  record.priority = task.priority;
  record.speedups = estimates.speedups;
  own.costs.seconds = estimates.seconds;
  add_copies(task, own.costs);
  own.codelet = codelet_name(*task.cl);
  own.able = asked(task);
  own.types = own.able ? 0 : types_of(task);
  if (observed_) record.queued_at = starpu_timing_now();
  starpu_push_task_end(&task);
  queued_.fetch_add(1);
  inbox_->leave(own);
  if (!waiters_.any()) return;
  std::vector<int> wakes;
  {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    wakes = choose_wakes();
  }
  wake(wakes);
}

/// Queues it.
void Context::note_arrival(Inbox::Arrival& arrival) {
  QueuedTask& record = *arrival.record;
  if (info_.uses_codelets) record.codelet = codelets_.number(arrival.codelet);
  record.sequence = next_sequence_++;
  distort(record, &arrival.costs);
  enqueue(record, arrival.able ? &*arrival.able : nullptr, arrival.types, &arrival.costs);
  arrival.record = records_.take();
}

/// Takes a submitted task in. It may be gone: one that was cancelled never comes to the policy.
void Context::note_submission(const Inbox::Submission& submission) {
  planning_->submitted(group_of(submission.types), submission.seconds);
  graph_.submit(submission.task, submission.ticket(), submission.uses, submission.work, submission.old);
  if (graph_.stale()) graph_.postpone();
}

void Context::note_tails() {
  if (graph_.stale()) graph_.postpone();
  if (!graph_.postponed()) return;
  graph_.update([&](void* record, double tail) { planning_->set_tail(*static_cast<QueuedTask*>(record), tail); });
}

QueuedTask* Context::plan(WorkerId worker, Decision& decision) {
  note_tails();
  planning_->set_outstanding(graph_.outstanding());
  decision = planning_->pop(worker, now());
  if (decision.task == nullptr) return nullptr;
  auto& record = static_cast<QueuedTask&>(*decision.task);
  graph_.begin(record.owner, record.ticket);
  return &record;
}

/// `worker` was told to leave what there is to others: whom to wake for it.
std::vector<int> Context::declined(WorkerId worker, const Decision& decision) {
  own_[worker].ask_again = decision.until;
  if (handfuls_of_others(worker)) own_[worker].ask_again = std::min(decision.until, now() + kHandfulsLast);
  if (!decision.in_favour_of) return decision.nobody_works ? choose_wakes() : std::vector<int>{};
  const WorkerId other = *decision.in_favour_of;
  if (!waiters_.contains(other)) return {};
  waiters_.erase(other);
  return {static_cast<int>(other)};
}

/// What `worker` should reserve: something that has to be copied. Until `reserve` it is nobody else's.
std::vector<QueuedTask*> Context::plan_ahead(WorkerId worker) {
  if (worker_of_memory_.size() < 2 || starpu_get_prefetch_flag() == 0) return {};
  TaskRecord* const chosen = planning_->reserve(worker, now());
  if (chosen == nullptr) return {};
  auto& record = static_cast<QueuedTask&>(*chosen);
  if (!prepare(*record.task(), worker)) {
    planning_->forget(worker, record);
    --queued_in_group_[record.group];
    queue_for_others(record, worker);
    return {};
  }
  queued_.fetch_sub(1);
  return {&record};
}

/// The task went where `worker` leads other workers: this context hears no more of it.
void Context::forget(starpu_task& task, WorkerId worker) {
  const RelaxedLock lock(mutex_.get());
  catch_up();
  ended(worker, {.task = &task, .ticket = ticket_of(task), .now = now()});
}

/// Whoever takes the lock under a policy that plans does this first.
void Context::catch_up() {
  if (!inbox_) return;
  inbox_->take_in([this](const Inbox::Submission& submission) { note_submission(submission); },
                  [this](Inbox::Arrival& arrival) { note_arrival(arrival); },
                  [this](WorkerId worker, const Inbox::End& end) { ended(worker, end); });
}

void Context::ended(WorkerId worker, const Inbox::End& end) {
  graph_.finish(end.task, end.ticket);
  planning_->finished(worker, end.task, end.now, end.ran);
}

/// By the thread that drives `worker`, which is not busy with that task any more.
void Context::end_run(WorkerId worker, const Inbox::End& end) {
  waiters_.erase(worker);  // what it left while it had this to finish it may take now
  if (inbox_->leave(worker, end)) return;
  const RelaxedLock lock(mutex_.get());
  catch_up();
  ended(worker, end);
}

/// A task ended long after the worker that ran it was done with it, or that worker never told when it started it.
void Context::ended_elsewhere(starpu_task& task) {
  std::vector<int> wakes;
  {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    graph_.finish(&task, ticket_of(task));
    for (WorkerId worker = 0; worker < queue_->machine().workers(); ++worker) {
      planning_->finished(worker, &task, now(), std::nullopt);
    }
    wakes = choose_wakes();
  }
  wake(wakes);
}

/// Which workers the context has; what those that left had reserved is queued again.
void Context::note_presence() {
  for (WorkerId worker = 0; worker < queue_->machine().workers(); ++worker) {
    const bool present = starpu_sched_ctx_contains_worker(static_cast<int>(worker), id_) != 0;
    if (!present) give_back_handful(worker);
    planning_->set_present(worker, present);
  }
}

}  // namespace starpath
