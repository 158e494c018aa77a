// The ready tasks of a context, as far as all strategies treat them alike.
#include "sched_policies/adapter/ready_tasks.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <string>

#include "sched_policies/adapter/shared_state.hpp"
#include "sched_policies/adapter/turn.hpp"
#include "sched_policies/options/injected_errors.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {

ReadyTasks::ReadyTasks(const ContextFacts& context, EligibilityTable& eligibility)
    : context_(context),
      eligibility_(eligibility),
      group_of_types_(std::size_t{1} << STARPU_NARCH),
      parked_(context.machine.workers()) {
  for (unsigned type = 0; type < STARPU_NARCH; ++type) {
    const auto arch = static_cast<starpu_worker_archtype>(type);
    if (starpu_worker_get_count_by_type(arch) != 0) types_.push_back(arch);
  }
  if (context.uses_estimates && context.estimates.explores()) {
    exploration_.emplace(PolicyEnvironment{context.machine, eligibility}, context.options.knn_k);
    looked_ = std::vector<Looked>(context.machine.workers());
  }
  note_presence();
}

ReadyTasks::Look ReadyTasks::look_at(starpu_task& task) const {
  const std::uint64_t first_samples = context_.estimates.first_samples();  // before they are asked for
  Look look = context_.uses_estimates ? Look(context_.estimates.of(task)) : Look();
  look.first_samples = first_samples;
  if (context_.observed) look.queued_at = starpu_timing_now();
  if (chooses_workers(task)) {
    look.able = ask_who_may(task);
  } else {
    look.types = types_for(task);
  }
  return look;
}

/// Goes by `where` and the implementations. For tasks with a list of workers or a `can_execute`, StarPU is asked worker
/// by worker (ask_who_may).
unsigned ReadyTasks::types_for(const starpu_task& task) const {
  unsigned types = 0;
  for (const starpu_worker_archtype type : types_) {
    if (implementations(task, type) != 0) types |= 1U << type;
  }
  return types;
}

std::optional<WorkerSet> ReadyTasks::ask_who_may(starpu_task& task) const {
  if (!chooses_workers(task)) return std::nullopt;
  WorkerSet able;
  for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
    if (starpu_worker_can_execute_task_impl(worker, &task, nullptr) != 0) able.insert(worker);
  }
  return able;
}

bool ReadyTasks::prepare(starpu_task& task, WorkerId worker) const {
  unsigned mask = 0;
  if (starpu_worker_can_execute_task_impl(worker, &task, &mask) == 0) return false;
  starpu_task_set_implementation(&task, static_cast<unsigned>(std::countr_zero(mask)));
  return true;
}

/// Once for each task: to choose an implementation to try it counts as a try.
void ReadyTasks::choose_implementation(starpu_task& task, WorkerId worker) const {
  if (!has_choice(*task.cl, starpu_worker_get_type(static_cast<int>(worker)))) return;
  unsigned mask = 0;
  if (starpu_worker_can_execute_task_impl(worker, &task, &mask) == 0) return;
  starpu_task_set_implementation(&task, context_.estimates.best_implementation(task, worker, mask));
}

namespace {

/// The context without a policy whose tasks a worker of `context` runs together with workers that it leads, or
/// STARPU_NMAX_SCHED_CTXS. StarPU 1.5 has a new name for it; its development versions call themselves 1.4.99.
unsigned led_context(WorkerId worker, unsigned context) {
#if STARPU_MINOR_VERSION > 4 || STARPU_RELEASE_VERSION >= 99
  return starpu_sched_ctx_worker_is_primary_for_child_ctx(static_cast<int>(worker), context);
#else
  return starpu_sched_ctx_worker_is_master_for_child_ctx(static_cast<int>(worker), context);
#endif
}

}  // namespace

starpu_task* ReadyTasks::hand_over(starpu_task& task, WorkerId worker) const {
  choose_implementation(task, worker);
  const unsigned child = led_context(worker, context_.id);
  if (child == STARPU_NMAX_SCHED_CTXS) return &task;
  const double flops = task.flops;
  task.prefetched = 0;  // StarPU fetches its data for that context, and aborts if it was asked to before
  starpu_sched_ctx_move_task_to_ctx_locked(&task, child, 1);
  starpu_sched_ctx_revert_task_counters_ctx_locked(context_.id, flops);
  return nullptr;
}

bool ReadyTasks::any(WorkerId worker) {
  if (queued.load() != 0) return true;
  looked(worker);
  if (context_.estimates.learns()) context_.estimates.flush(worker);  // it has the time
  if (!kWorkersSleep) return false;  // it looks again at once, which costs less than having it told
  context_.waiters.insert(worker);
  // A push that did not see the flag is seen here.
  if (queued.load() == 0) return false;
  context_.waiters.erase(worker);
  return true;
}

GroupId ReadyTasks::group_of(unsigned types) {
  auto& group = group_of_types_[types];
  if (!group) {
    WorkerSet able;
    for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
      if ((types >> starpu_worker_get_type(static_cast<int>(worker)) & 1U) != 0) able.insert(worker);
    }
    group = eligibility_.intern(able);
  }
  return *group;
}

void ReadyTasks::fill(QueuedTask& record, starpu_task& task, const Look& look) {
  record.owner = &task;
  record.priority = task.priority;
  if (context_.uses_estimates) record.speedups = look.estimates.speedups;
  if (context_.observed) record.queued_at = look.queued_at;
  number(record, names_codelets() ? codelet_name(*task.cl) : std::string_view(), nullptr);
}

void ReadyTasks::number(QueuedTask& record, std::string_view codelet, TaskCosts* costs) {
  if (names_codelets()) record.codelet = codelets_.number(codelet);
  number_again(record);
  inject_errors(context_.options.speedup_error, record.sequence, context_.machine, record.speedups,
                costs != nullptr ? &costs->seconds : nullptr);
}

bool ReadyTasks::admit(QueuedTask& record, const WorkerSet* able, unsigned types) {
  if (able == nullptr || !able->empty()) {
    record.group = able != nullptr ? eligibility_.intern(*able) : group_of(types);
    count(record);
    return true;
  }
  parked_.park(record);
  return false;
}

void ReadyTasks::count(const QueuedTask& record) {
  if (record.group >= queued_in_group_.size()) queued_in_group_.resize(record.group + 1);
  ++queued_in_group_[record.group];
}

QueuedTask* ReadyTasks::take_parked(WorkerId worker) {
  if (parked_.empty()) return nullptr;
  auto* const record = static_cast<QueuedTask*>(
      parked_.take(worker, [&](TaskRecord& task) { return prepare(*static_cast<QueuedTask&>(task).task(), worker); }));
  if (record == nullptr && !told_of_parked_) tell_of_parked();
  return record;
}

/// Reports it once, when every worker has tried all parked tasks in vain.
void ReadyTasks::tell_of_parked() {
  bool all = true;
  for_each_worker(context_.id, [&](WorkerId worker) {
    context_lock.is_held();
    return all = all && !parked_.untried(worker);
  });
  if (!all) return;
  told_of_parked_ = true;
  const starpu_task& task = *static_cast<const QueuedTask&>(parked_.front()).task();
  report("a task of codelet '" + std::string(codelet_name(*task.cl)) + "' waits: no worker says that it can run it");
}

bool ReadyTasks::waits(WorkerId worker) const {
  if (!context_.waiters.contains(worker)) return false;
  const double again = look_again_at_.load(std::memory_order_relaxed);
  return again == 0 || seconds_now() < again;
}

Exploration::Outlook ReadyTasks::look(const QueuedTask& record, const ClassSeconds& seconds,
                                      const ClassSet& never_known) const {
  if (!exploration_) return {};
  const auto outlook = exploration_->look(record.group, seconds, {}, never_known);
  if (outlook.unexplored.none()) return {};
  return exploration_->look(record.group, seconds, context_.estimates.guess(*record.task(), seconds), never_known);
}

void ReadyTasks::keep(QueuedTask& record, const Exploration::Outlook& outlook, std::uint64_t first_samples) {
  record.guessed = 0;
  count_out(record);
  exploration_->push(record, outlook, seconds_now());
  first_samples_ = std::min(first_samples_, first_samples);  // more may be known by now
}

bool ReadyTasks::keeps(QueuedTask& record, const ClassSeconds& seconds, const ClassSet& never_known,
                       std::uint64_t first_samples) {
  const auto outlook = look(record, seconds, never_known);
  if (outlook.unexplored.none()) return false;
  keep(record, outlook, first_samples);
  return true;
}

void ReadyTasks::guessed(QueuedTask& record, const Exploration::Outlook& outlook, std::uint64_t first_samples) {
  record.guessed = static_cast<std::uint8_t>(outlook.unexplored.to_ulong());
  if (record.guessed == 0) return;
  first_samples_ = std::min(first_samples_, first_samples);
  const ClassSet closed = exploration_->tried(record.codelet) & outlook.unexplored;
  WorkerSet others;
  for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
    if (eligibility_.contains(record.group, worker) && !closed[context_.machine.class_of(worker)])
      others.insert(worker);
  }
  if (closed.none() || ((outlook.unexplored | outlook.explored) & ~closed).none()) return;
  count_out(record);
  record.group = eligibility_.intern(others);
  count(record);
  closed_.insert(record.codelet);
}

void ReadyTasks::held(const QueuedTask& record) {
  if (record.guessed == 0) return;
  closed_.insert(record.codelet);  // `release` may have forgotten it while the copies were started
  if (!exploration_->any_present(record.group)) first_samples_ = 0;
}

void ReadyTasks::open(QueuedTask& record) {
  if (record.guessed == 0) return;
  const std::optional<WorkerSet> able = ask_who_may(*record.task());
  if (able && able->empty()) return;
  count_out(record);
  record.group = able ? eligibility_.intern(*able) : group_of(types_for(*record.task()));
  count(record);
}

/// Adds the codelets that got a first sample since the tasks were looked at.
void ReadyTasks::sampled(std::vector<CodeletId>& codelets) {
  const std::vector<std::string> names = context_.estimates.first_sampled(first_samples_);
  first_samples_ += names.size();
  for (const std::string& name : names) {
    if (const auto codelet = codelets_.find(name)) codelets.push_back(*codelet);
  }
}

ReadyTasks::Released ReadyTasks::release(WorkerId worker) {
  if (!exploration_) return {};
  Released released;
  const auto ended = [&](WorkerId one) {
    context_lock.is_held();
    const auto tried = exploration_->asks(one);
    if (tried && closed_.contains(*tried)) released.codelets.push_back(*tried);
  };
  ended(worker);
  if (!exploration_->empty() || !closed_.empty()) {
    for (WorkerId other = 0; other < looked_.size(); ++other) {
      if (looked_[other].since.load(std::memory_order_relaxed)) ended(other);
    }
  }
  if (first_samples_ == 0) {
    first_samples_ = context_.estimates.first_samples();
    released.kept = exploration_->take_all();
    released.codelets.assign(closed_.begin(), closed_.end());
  } else {
    if (first_samples_ != context_.estimates.first_samples()) sampled(released.codelets);
    released.kept = exploration_->take_all(released.codelets);
  }
  for (TaskRecord* const record : released.kept) count(static_cast<QueuedTask&>(*record));
  for (const CodeletId codelet : released.codelets) closed_.erase(codelet);
  return released;
}

bool ReadyTasks::look_again(QueuedTask& record) {
  const std::uint64_t first_samples = context_.estimates.first_samples();
  const TaskEstimates estimates = context_.estimates.of(*record.task());
  record.speedups = estimates.speedups;
  number_again(record);
  inject_errors(context_.options.speedup_error, record.sequence, context_.machine, record.speedups, nullptr);
  return keeps(record, estimates.seconds, estimates.never_known, first_samples);
}

void ReadyTasks::note_presence() {
  if (!exploration_) return;
  ClassSet present;
  for_each_worker(context_.id, [&](WorkerId worker) {
    present.set(context_.machine.class_of(worker));
    return true;
  });
  exploration_->set_present(present);
  for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
    if (starpu_sched_ctx_contains_worker(static_cast<int>(worker), context_.id) == 0) exploration_->asks(worker);
  }
  first_samples_ = 0;  // what waited for a class that left waits no more
}

bool ReadyTasks::any_for(WorkerId worker) const {
  if (parked_.untried(worker)) return true;
  if (exploration_ && !exploration_->empty()) {
    if (first_samples_ != context_.estimates.first_samples()) return true;
    if (exploration_->offers(worker, seconds_now())) return true;
  }
  for (GroupId group = 0; group < queued_in_group_.size(); ++group) {
    if (queued_in_group_[group] != 0 && eligibility_.contains(group, worker)) return true;
  }
  return false;
}

/// A worker of several contexts may be busy in another one. So it counts as told, but the next worker is told too.
std::vector<int> ReadyTasks::choose_wakes(bool one_a_class) {
  std::vector<int> wakes;
  if (!context_.waiters.any()) return wakes;
  std::bitset<kMaxDeviceClasses> told;
  for_each_worker(context_.id, [&](WorkerId worker) {
    context_lock.is_held();
    if (!context_.waiters.contains(worker) || !any_for(worker)) return true;
    const ClassId id = context_.machine.class_of(worker);
    if (told[id]) return true;
    context_.waiters.erase(worker);
    if (kWorkersSleep) wakes.push_back(static_cast<int>(worker));
    const bool here = starpu_sched_ctx_overlapping_ctxs_on_worker(static_cast<int>(worker)) == 0;
    if (!one_a_class) return !here;
    told.set(id, here);
    return !told.all();
  });
  return wakes;
}

void ReadyTasks::call_another() {
  if (!calls_for_another()) return;
  Turn turn(mutex_);
  turn.wake(choose_wakes());
}

}  // namespace starpath
