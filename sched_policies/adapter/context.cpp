// One scheduling context under one policy: tasks on their way in and out.
#include "sched_policies/adapter/context.hpp"

#include <algorithm>
#include <climits>
#include <set>
#include <utility>

#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

Context::Context(unsigned id, const PolicyInfo& info, MakeQueue make_queue)
    : id_(id),
      info_(info),
      make_queue_(make_queue),
      shared_(SharedState::acquire(info.name)),
      observed_(!shared_->options().stats_file.empty() || !shared_->options().trace_file.empty()),
      taught_(shared_->options().learn && shared_->options().estimator == EstimatorKind::knn),
      own_(STARPU_NMAXWORKERS) {
  if (starpu_sched_ctx_min_priority_is_set(id) == 0) starpu_sched_ctx_set_min_priority(id, INT_MIN);
  if (starpu_sched_ctx_max_priority_is_set(id) == 0) starpu_sched_ctx_set_max_priority(id, INT_MAX);
}

Context::~Context() = default;

void Context::make_ready() {
  if (ready_.load(std::memory_order_acquire) != nullptr) return;
  const RelaxedLock lock(mutex_.get());
  if (ready_.load(std::memory_order_relaxed) != nullptr) return;
  SharedState::Ready& parts = shared_->ready();
  queue_ = make_queue_(parts.machine);
  group_of_types_.resize(std::size_t{1} << STARPU_NARCH);
  for (unsigned type = 0; type < STARPU_NARCH; ++type) {
    const auto arch = static_cast<starpu_worker_archtype>(type);
    if (starpu_worker_get_count_by_type(arch) != 0) types_.push_back(arch);
  }
  estimates_ = info_.uses_estimates && parts.machine.classes().size() > 1;
  const Options& options = shared_->options();
  // A policy that plans without knowing any times is one that orders by arrival: nobody need keep account of times.
  if (estimates_ && options.estimator != EstimatorKind::none) planning_ = queue_->planning();
  if (planning_ != nullptr) {
    std::set<MemoryId> devices;
    for (WorkerId worker = 0; worker < parts.machine.workers(); ++worker) {
      const MemoryId memory = parts.machine.memory_of(worker);
      if (parts.machine.kind_of(worker) == DeviceKind::accelerator) devices.insert(memory);
      if (memory >= worker_of_memory_.size()) worker_of_memory_.resize(memory + 1, worker);
      worker_of_memory_[memory] = worker;
    }
    device_memories_ = devices.size();
    inbox_.emplace(parts.machine.workers(), graph_, [this] { return records_.take(); });
    note_presence();
  } else if (queue_->planning() == nullptr && LookAhead::wanted(parts.machine, info_, options)) {
    look_ahead_.emplace(parts.machine, info_, options);
  }
  teaches_ = parts.estimates.learns_under(info_.uses_estimates);
  checks_estimates_ = planning_ != nullptr && estimates_;
  if (observed_ || teaches_ || checks_estimates_ || (look_ahead_ && look_ahead_->measures()))
    watch_.emplace(parts.machine, observed_);
  ready_.store(&parts, std::memory_order_release);
}

/// Who may run `task` as far as that cannot change: kinds of worker, by `where` and implementations, as a bit set.
/// Tasks with a list of workers or a `can_execute` are asked about worker by worker.
unsigned Context::types_of(const starpu_task& task) const {
  unsigned types = 0;
  for (const starpu_worker_archtype type : types_) {
    if ((static_cast<unsigned>(task.where) & STARPU_WORKER_TO_MASK(type)) == 0) continue;
    if (implementations(*task.cl, type) != 0) types |= 1U << type;
  }
  return types;
}

GroupId Context::group_of(unsigned types) {
  auto& group = group_of_types_[types];
  if (!group) {
    const Machine& machine = queue_->machine();
    WorkerSet able;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if ((types >> starpu_worker_get_type(static_cast<int>(worker)) & 1U) != 0) able.insert(worker);
    }
    group = queue_->eligibility().intern(able);
  }
  return *group;
}

/// Who may run `task`, where types_of does not tell.
std::optional<WorkerSet> Context::asked(starpu_task& task) const {
  if (task.workerids_len == 0 && task.cl->can_execute == nullptr) return std::nullopt;

  WorkerSet able;
  for (WorkerId worker = 0; worker < queue_->machine().workers(); ++worker) {
    if (starpu_worker_can_execute_task_impl(worker, &task, nullptr) != 0) able.insert(worker);
  }
  return able;
}

/// `able`: who may run it, where that took asking; null: see group_of(types). `costs`: for a planning policy.
void Context::enqueue(QueuedTask& record, const WorkerSet* able, unsigned types, TaskCosts* costs) {
  if (able != nullptr && able->empty()) {
    if (look_ahead_) record.state = QueuedTask::State::parked;
    parked_.push_back(&record);
    if (!std::exchange(told_of_parked_, true)) {
      report("a task of codelet '" + std::string(codelet_name(*record.task()->cl)) +
             "' waits: no worker says that it can run it");
    }
    return;
  }
  if (look_ahead_) record.state = QueuedTask::State::queued;  // else untouched: it is in a cold cache line
  record.group = able != nullptr ? queue_->eligibility().intern(*able) : group_of(types);
  enter(record, costs);
}

/// Puts it into the policy's queue, for its group.
void Context::enter(QueuedTask& record, TaskCosts* costs) {
  if (record.group >= queued_in_group_.size()) queued_in_group_.resize(record.group + 1);
  ++queued_in_group_[record.group];
  if (planning_ != nullptr) {
    costs->tail = graph_.tail(record.owner, record.ticket);
    planning_->push(record, *costs);
    graph_.tag(record.owner, record.ticket, &record);
  } else {
    queue_->push(record);
  }
}

int Context::push(starpu_task& task) {
  make_ready();
  if (planning_ != nullptr) {
    push_planned(task);
  } else {
    queue(task);
  }
  return 0;
}

/// Under a policy that does not plan.
void Context::queue(starpu_task& task) {
  SharedState::Ready& parts = *ready_.load(std::memory_order_relaxed);
  Speedups speedups;
  if (estimates_) speedups = parts.estimates.of(task, id_).speedups;
  const double now = observed_ ? starpu_timing_now() : 0;
  const auto able = asked(task);
  const unsigned types = able ? 0 : types_of(task);

  std::vector<int> wakes;
  {
    const RelaxedLock lock(mutex_.get());
    QueuedTask& record = *records_.take();
    record.owner = &task;
    record.priority = task.priority;
    if (estimates_) record.speedups = speedups;
    if (info_.uses_codelets) record.codelet = codelets_.number(codelet_name(*task.cl));
    if (observed_) record.queued_at = now;
    record.sequence = next_sequence_++;
    distort(record, nullptr);
    enqueue(record, able ? &*able : nullptr, types, nullptr);
    if (look_ahead_) look_ahead_->queued(record);
    queued_.fetch_add(1);
    starpu_push_task_end(&task);
    wakes = choose_wakes();
  }
  wake(wakes);
}

/// Applies STARPATH_SPEEDUP_ERROR.
void Context::distort(QueuedTask& record, TaskCosts* costs) const {
  const SpeedupError& error = shared_->options().speedup_error;
  if (error.fraction == 0) return;
  const Machine& machine = queue_->machine();
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (id == machine.baseline()) continue;
    if (const auto own = record.speedups.of(id)) {
      const double wrong = inject_error(*own, error, record.sequence, id);
      record.speedups.set(id, wrong);
      if (costs != nullptr && costs->seconds[id]) *costs->seconds[id] *= *own / wrong;
    }
  }
}

starpu_task* Context::pop() {
  const WorkerId worker = starpu_worker_get_id_check();
  notice_removed_workers();
  if (ready_.load(std::memory_order_acquire) != nullptr && watch_) {
    if (const auto over = watch_->asked(worker)) end_unreported(worker, *over);
  }
  if (own_[worker].handful.empty() && !may_find(worker)) return nullptr;
  while (true) {
    Taken taken;
    if (QueuedTask* const record = take_from_handful(worker, worker)) {
      taken = {.task = record->task(), .unchecked = record};
    } else {
      taken = take(worker);
    }
    if (taken.task == nullptr) return nullptr;
    if (taken.unchecked != nullptr) {
      starpu_sched_task_break(taken.task);
      if (!prepare(*taken.task, worker)) {
        refuse(*taken.unchecked, worker);
        continue;
      }
      if (observed_) watch_->taken(worker, *taken.unchecked);
    }
    if (!moved_to_child(*taken.task, worker)) return taken.task;
    if (planning_ != nullptr) forget(*taken.task, worker);
    return nullptr;
  }
}

/// Whether there is anything that `worker` was not told to leave. If not it waits to be told, where workers sleep.
bool Context::may_find(WorkerId worker) {
  if (waiters_.contains(worker) &&
      (own_[worker].ask_again == 0 || starpu_timing_now() * 1e-6 < own_[worker].ask_again)) {
    return false;
  }
  if (queued_.load() != 0) return true;
  idle(worker);
  if (!kWorkersSleep) return false;  // it looks again at once, which costs less than having it told
  waiters_.insert(worker);
  // A push that did not see the flag is seen here.
  if (queued_.load() == 0) return false;
  waiters_.erase(worker);
  return true;
}

/// One turn under the lock: a task for `worker`, if there is one, and what it reserves beside.
Context::Taken Context::take(WorkerId worker) {
  std::vector<int> wakes;
  std::vector<QueuedTask*> fresh;
  Taken taken;
  {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    for (QueuedTask* const record : own_[worker].handed_out) records_.give_back(record);
    own_[worker].handed_out.clear();
    Decision decision;
    do {
      taken = take_one(worker, decision, fresh);
    } while (taken.task == nullptr && came_meanwhile(worker));
    if (taken.task == nullptr) {
      if (look_ahead_) look_ahead_->idle(worker);
      if (planning_ != nullptr) wakes = declined(worker, decision);
    }
    if (queued_.load(std::memory_order_relaxed) != 0 && (planning_ == nullptr || taken.task != nullptr)) {
      wakes = choose_wakes();
    }
  }
  wake(wakes);
  if (!fresh.empty()) reserve(worker, fresh);
  return taken;
}

/// `decision`: what a policy that plans said; `fresh`: what is reserved beside.
Context::Taken Context::take_one(WorkerId worker, Decision& decision, std::vector<QueuedTask*>& fresh) {
  bool checked = true;
  QueuedTask* const record = look_ahead_ ? take_ahead(worker) : choose(worker, checked, decision);
  if (record == nullptr) {
    QueuedTask* const other = planning_ != nullptr ? take_from_others(worker) : nullptr;
    return other == nullptr ? Taken{} : Taken{.task = other->task(), .unchecked = other};
  }
  if (checked && observed_) watch_->taken(worker, *record);
  if (look_ahead_) {
    look_ahead_->handed_out(worker, *record);
    fresh = choose_reservations(worker);
  }
  if (planning_ != nullptr) fresh = plan_ahead(worker);
  if (!look_ahead_ || record->state != QueuedTask::State::gone) own_[worker].handed_out.push_back(record);
  queued_.fetch_sub(1);
  if (planning_ != nullptr && !checked) fill_handful(worker);
  return {.task = record->task(), .unchecked = checked ? nullptr : record};
}

/// `worker` found nothing, and waits. Whether something was left by somebody who could not see that yet.
bool Context::came_meanwhile(WorkerId worker) {
  if (!parked_.empty()) return false;
  waiters_.insert(worker);
  if (!inbox_ || inbox_->empty()) return false;
  waiters_.erase(worker);
  catch_up();
  return true;
}

/// The policy's choice for `worker`, or a task that nobody could run so far. `checked`: whether StarPU was asked about
/// it; `decision`: what a policy that plans said. Without looking ahead.
QueuedTask* Context::choose(WorkerId worker, bool& checked, Decision& decision) {
  if (QueuedTask* const parked = take_parked(worker)) return parked;
  QueuedTask* const record =
      planning_ != nullptr ? plan(worker, decision) : static_cast<QueuedTask*>(queue_->pop(worker));
  if (record == nullptr) return nullptr;
  --queued_in_group_[record->group];
  checked = false;
  return record;
}

/// `worker` took a task that it cannot run after all.
void Context::refuse(QueuedTask& record, WorkerId worker) {
  std::vector<int> wakes;
  {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    own_[worker].handed_out.pop_back();
    if (planning_ != nullptr) planning_->finished(worker, record.owner, starpu_timing_now() * 1e-6, std::nullopt);
    queue_for_others(record, worker);
    queued_.fetch_add(1);
    wakes = choose_wakes();
  }
  wake(wakes);
}

QueuedTask* Context::take_parked(WorkerId worker) {
  for (auto parked = parked_.begin(); parked != parked_.end(); ++parked) {
    QueuedTask* const record = *parked;
    if (!prepare(*record->task(), worker)) continue;
    parked_.erase(parked);
    return record;
  }
  return nullptr;
}

/// The policy's choice for `worker`, checked once more: what StarPU says may have changed since the task was queued.
/// For looking ahead.
QueuedTask* Context::take_queued(WorkerId worker) {
  while (TaskRecord* const chosen = queue_->pop(worker)) {
    auto& record = static_cast<QueuedTask&>(*chosen);
    if (record.state == QueuedTask::State::gone) {
      records_.give_back(&record);
      continue;
    }
    --queued_in_group_[record.group];
    starpu_sched_task_break(record.task());
    if (prepare(*record.task(), worker)) return &record;
    queue_for_others(record, worker);
  }
  return nullptr;
}

/// Whoever can run it now gets it, as if it had just arrived; without this worker, so that it does not come straight
/// back.
void Context::queue_for_others(QueuedTask& record, WorkerId worker) {
  WorkerSet able;
  for_each_worker(id_, [&](WorkerId other) {
    if (other != worker && starpu_worker_can_execute_task_impl(other, record.task(), nullptr) != 0) able.insert(other);
    return true;
  });
  record.sequence = next_sequence_++;
  TaskCosts costs;
  if (planning_ != nullptr) costs = costs_of(*record.task());
  enqueue(record, &able, 0, &costs);
}

/// Whether `worker` can run `task` now; if so, with which implementation.
bool Context::prepare(starpu_task& task, WorkerId worker) {
  unsigned mask = 0;
  if (starpu_worker_can_execute_task_impl(worker, &task, &mask) == 0) return false;
  SharedState::Ready& parts = *ready_.load(std::memory_order_relaxed);
  starpu_task_set_implementation(&task, parts.estimates.best_implementation(task, worker, id_, mask));
  return true;
}

/// A worker that leads a context without a policy runs its tasks there, together with the workers it leads.
bool Context::moved_to_child(starpu_task& task, WorkerId worker) const {
  const unsigned child = starpu_sched_ctx_worker_is_master_for_child_ctx(static_cast<int>(worker), id_);
  if (child == STARPU_NMAX_SCHED_CTXS) return false;
  const double flops = task.flops;
  starpu_sched_ctx_move_task_to_ctx_locked(&task, child, 1);
  starpu_sched_ctx_revert_task_counters_ctx_locked(id_, flops);
  return true;
}

}  // namespace starpath
