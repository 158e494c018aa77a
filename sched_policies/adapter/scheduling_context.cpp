// One scheduling context under one policy: the functions that StarPU calls.
#include "sched_policies/adapter/scheduling_context.hpp"

#include <climits>
#include <utility>
#include <vector>

#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/adapter/look_ahead_strategy.hpp"
#include "sched_policies/adapter/plain_strategy.hpp"
#include "sched_policies/adapter/planning_strategy.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/short_task_strategy.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {
namespace {

std::unique_ptr<Strategy> choose_strategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue,
                                          SchedulingContext::MakeQueue make_queue) {
  Planner* const planner = queue->planner();
  if (planner == nullptr && LookAhead::wanted(context.machine, context.info, context.options)) {
    return std::make_unique<LookAheadStrategy>(context, std::move(queue));
  }
  // Without any times a policy that plans orders tasks by arrival, so nothing has to keep account of times.
  if (planner != nullptr && context.uses_estimates && context.estimates.kind() != EstimatorKind::none) {
    if (ShortTaskStrategy::wanted(context))
      return std::make_unique<ShortTaskStrategy>(context, make_queue(context.machine), std::move(queue), *planner);
    return std::make_unique<PlanningStrategy>(context, std::move(queue), *planner);
  }
  return std::make_unique<PlainStrategy>(context, std::move(queue));
}

}  // namespace

SchedulingContext::SchedulingContext(unsigned id, const PolicyInfo& info, MakeQueue make_queue)
    : id_(id),
      info_(info),
      make_queue_(make_queue),
      shared_(SharedState::acquire(info.name)),
      observed_(!shared_->options().stats_file.empty() || !shared_->options().trace_file.empty()),
      taught_(shared_->options().learn && keeps_samples(shared_->options())) {
  if (starpu_sched_ctx_min_priority_is_set(id) == 0) starpu_sched_ctx_set_min_priority(id, INT_MIN);
  if (starpu_sched_ctx_max_priority_is_set(id) == 0) starpu_sched_ctx_set_max_priority(id, INT_MAX);
}

SchedulingContext::Ready::Ready(SchedulingContext& context)
    : Ready(context, context.make_queue_(context.shared_->ready().machine)) {}

SchedulingContext::Ready::Ready(SchedulingContext& context, std::unique_ptr<PolicyQueue> queue)
    : shared(context.shared_->ready()),
      estimates(shared.sources, estimator_of(context.shared_->options(), context.info_)),
      executions(shared.machine, context.id_, context.observed_),
      facts{.id = context.id_,
            .info = context.info_,
            .options = context.shared_->options(),
            .machine = shared.machine,
            .estimates = estimates,
            .waiters = context.waiters_,
            .executions = executions,
            .observed = context.observed_,
            .uses_estimates = context.info_.uses_estimates && (shared.machine.classes().size() > 1 ||
                                                               (context.info_.ranks && shared.machine.workers() > 1))},
      strategy(choose_strategy(facts, std::move(queue), context.make_queue_)),
      teaches(estimates.learns_under(facts.uses_estimates)),
      teaches_choices(estimates.learns_under(context.info_.uses_estimates)) {
  if (context.info_.uses_estimates) estimates.use_profile();
}

/// Whether the time of `task` on `worker` is of use: to the policy, or to choose among implementations.
bool SchedulingContext::Ready::learns_from(const starpu_task& task, WorkerId worker) const {
  return teaches || (teaches_choices && has_choice(*task.cl, starpu_worker_get_type(static_cast<int>(worker))));
}

SchedulingContext::Ready& SchedulingContext::ready() {
  if (Ready* const made = ready_.load(std::memory_order_acquire)) return *made;
  const RelaxedLock lock(mutex_);
  if (!made_) ready_.store(&made_.emplace(*this));
  return *made_;
}

int SchedulingContext::push(starpu_task& task) {
  ready().strategy->push(task);
  return 0;
}

starpu_task* SchedulingContext::pop() {
  const WorkerId worker = starpu_worker_get_id_check();
  notice_removed_workers();
  Ready* ready = ready_.load();
  if (ready == nullptr) {
    if (!kWorkersSleep) return nullptr;
    waiters_.insert(worker);
    // A push that did not see the flag is seen here.
    ready = ready_.load();
    if (ready == nullptr) return nullptr;
    waiters_.erase(worker);
  }
  if (const auto end = ready->executions.asked(worker)) end_unreported(*ready, *end);
  return ready->strategy->pop(worker);
}

/// StarPU calls no hook when workers leave a context, and the one that was told of a task may be among them.
void SchedulingContext::notice_removed_workers() {
  const unsigned now = starpu_sched_ctx_get_nworkers(id_);
  if (workers_seen_.load(std::memory_order_relaxed) == now) return;
  workers_seen_.store(now);
  const std::vector<int> cleared = waiters_.clear();
  if (Ready* const ready = ready_.load(std::memory_order_acquire)) ready->strategy->workers_left();
  // Without this nobody would tell the sleeping workers of anything. They look again, and set their flags.
  if (kWorkersSleep) wake_workers(cleared);
}

void SchedulingContext::add_workers(const int* workers, unsigned count) {
  workers_seen_.store(0);  // the next worker that asks looks: others may have left meanwhile
  const int self = starpu_worker_get_id();
  for (unsigned i = 0; i < count; ++i) {
    starpu_sched_ctx_worker_shares_tasks_lists(workers[i], static_cast<int>(id_));
    waiters_.erase(static_cast<WorkerId>(workers[i]));  // tasks may have been queued while it was elsewhere
    if (workers[i] != self) starpu_wake_worker_locked(workers[i]);
  }
}

void SchedulingContext::push_notify(starpu_task& task, int worker) {
  // The worker is about to be busy with a task that went past the policy, so it must not be told of the next task.
  waiters_.erase(static_cast<WorkerId>(worker));
  Ready* const ready = ready_.load(std::memory_order_acquire);
  if (ready == nullptr) return;
  // A task with a given order may wait for tasks that this worker has to ask for, and StarPU reports no end of its own
  // tasks.
  const bool comes_next = task.execute_on_a_specific_worker != 0 && task.workerid == static_cast<unsigned>(worker) &&
                          task.workerorder == 0 && task.no_submitorder == 0;
  if (comes_next && task.sched_ctx == id_) ready->strategy->bound(task, static_cast<WorkerId>(worker));
  ready->strategy->diverted();
}

/// A task that StarPU will run on a worker of its choice, of ours or of the application's, or nowhere.
void SchedulingContext::submitted(starpu_task& task) {
  if (task.cl == nullptr) return;
  ready().strategy->submitted(task);
}

void SchedulingContext::pre_exec(starpu_task& task) {
  const auto worker = static_cast<WorkerId>(starpu_worker_get_id_check());
  waiters_.erase(worker);
  // The task may have come past the policy, before any that did not.
  Ready* const ready = observed_ || taught_ ? &this->ready() : ready_.load(std::memory_order_acquire);
  if (ready == nullptr) return;
  // It may have looked again, and been told again, between the notice and now.
  if (task.execute_on_a_specific_worker != 0 || task.sched_ctx != id_) {
    ready->strategy->started_other(worker);
    ready->strategy->diverted();
  }
  if (const auto end = ready->executions.starts(worker)) end_unreported(*ready, *end);
  std::optional<Lesson> lesson;
  // StarPU reports no end of its own tasks, which have no_submitorder set.
  if (task.sched_ctx == id_ && task.no_submitorder == 0 && ready->learns_from(task, worker))
    lesson = ready->estimates.lesson(task, worker);
  if (!lesson && !observed_ && !ready->strategy->follows(worker)) return;
  if (ready->executions.started(worker, task, lesson)) ready->strategy->started_unseen(worker, task);
}

void SchedulingContext::post_exec(starpu_task& task) {
  Ready* const ready = ready_.load(std::memory_order_acquire);
  if (ready == nullptr) return;
  // Below 0 when the last end dependency was released by a thread that is no worker.
  const int worker = starpu_worker_get_id();
  const auto execution = worker < 0 ? std::nullopt : ready->executions.finished(static_cast<WorkerId>(worker), task);
  if (!execution) {
    ready->strategy->ended_elsewhere(task);
    return;
  }
  ready->strategy->finished(task, *execution);
  if (execution->foreign) return;
  if (const auto& lesson = ready->executions.lesson(execution->worker)) {
    ready->estimates.learn(task, *lesson, execution->worker, execution->measured());
  }
  ready->shared.finished(*execution);
}

void SchedulingContext::end_unreported(Ready& ready, const ExecutionWatch::UnreportedEnd& end) {
  ready.strategy->finished_unreported(end);
  if (!end.internal && !end.execution.foreign) ready.shared.finished(end.execution);
}

}  // namespace starpath
