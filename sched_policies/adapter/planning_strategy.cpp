// The planning strategy: tasks to workers, copies, and workers to wake.
#include "sched_policies/adapter/planning_strategy.hpp"

#include <algorithm>
#include <utility>

#include "sched_policies/adapter/clock.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/adapter/turn.hpp"

namespace starpath {

PlanningStrategy::PlanningStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue, Planner& policy)
    : context_(context),
      queue_(std::move(queue)),
      policy_(policy),
      tasks_(context, queue_->eligibility()),
      flow_(context, tasks_, policy_, records_),
      batches_(context.machine.workers()),
      askers_(context.machine.workers()) {
  note_presence();
}

void PlanningStrategy::submitted(starpu_task& task) { flow_.submitted(task); }

void PlanningStrategy::push(starpu_task& task) {
  flow_.arrived(task);
  if (!context_.waiters.any() && !flow_.several_memories()) return;
  std::vector<Fetch> fetches;
  {
    Turn turn(tasks_.mutex());
    flow_.catch_up();
    fetches = to_fetch();
    turn.wake(tasks_.choose_wakes(true));
  }
  start(std::move(fetches));
}

starpu_task* PlanningStrategy::pop(WorkerId worker) {
  if (batches_.of(worker).all_taken()) {
    const double again = askers_[worker].again;
    if (context_.waiters.contains(worker) && (again == 0 || seconds_now() < again)) return nullptr;
    if (!tasks_.any(worker)) return nullptr;
  }
  const PlannedTask* const record = tasks_.next_runnable(
      worker,
      [&] {
        const Taken taken{.record = take_from_batch(worker, worker)};
        return taken.record != nullptr ? taken : take(worker);
      },
      [&](PlannedTask& refused) { refuse(refused, worker); });
  if (record == nullptr) return nullptr;
  context_.taken(worker, *record);
  starpu_task& task = *record->task();
  context_.predict(worker, *record);
  if (context_.info.fetches) task.predicted_transfer = flow_.predicted_copies(task, worker);
  const auto ticket = record->ticket;
  if (starpu_task* const handed = tasks_.hand_over(task, worker)) return handed;
  // This context hears no more of it.
  flow_.ended(worker, {.task = &task, .ticket = ticket, .now = seconds_now()});
  return nullptr;
}

/// One turn under the lock: a task for `worker`, if there is one.
PlanningStrategy::Taken PlanningStrategy::take(WorkerId worker) {
  std::vector<Fetch> fetches;
  Taken taken;
  {
    Turn turn(tasks_.mutex());
    flow_.catch_up();
    records_.recycle(worker);
    Decision decision;
    do {
      taken = choose(worker, decision);
    } while (taken.record == nullptr && came_meanwhile(worker));
    if (taken.record == nullptr) {
      turn.wake(declined(worker, decision));
    } else if (tasks_.queued.load(std::memory_order_relaxed) != 0) {
      turn.wake(tasks_.choose_wakes(true));
    }
    fetches = to_fetch();
  }
  start(std::move(fetches));
  return taken;
}

/// Chooses a task that nobody could run so far, else the policy's choice, else one of another worker's batch.
/// `decision`: the policy's answer.
PlanningStrategy::Taken PlanningStrategy::choose(WorkerId worker, Decision& decision) {
  Taken taken{.record = static_cast<PlannedTask*>(tasks_.take_parked(worker))};
  taken.prepared = taken.record != nullptr;
  if (!taken.prepared) taken.record = flow_.next(worker, decision);
  if (taken.record == nullptr) return {.record = take_from_others(worker)};
  records_.hand_out(worker, taken.record);
  tasks_.queued.fetch_sub(1);
  if (!taken.prepared) fill_batch(worker);
  return taken;
}

/// The tasks whose copies should start. No worker gets them before `start`.
std::vector<Fetch> PlanningStrategy::to_fetch() {
  std::vector<Fetch> fetches;
  if (!flow_.several_memories()) return fetches;
  for (Fetch next; (next = policy_.fetch()).task != nullptr;) fetches.push_back(next);
  tasks_.queued.fetch_sub(fetches.size());
  return fetches;
}

/// `worker` was told to leave the waiting tasks to others. Returns the workers to wake for them.
std::vector<int> PlanningStrategy::declined(WorkerId worker, const Decision& decision) {
  double& again = askers_[worker].again;
  again = decision.until;
  if (!kWorkersSleep && batches_.others_have_any(worker)) again = std::min(again, seconds_now() + Batches::kLast);
  if (!decision.in_favour_of) return decision.nobody_works ? tasks_.choose_wakes(true) : std::vector<int>{};
  const WorkerId other = *decision.in_favour_of;
  if (!context_.waiters.contains(other)) return {};
  context_.waiters.erase(other);
  return {static_cast<int>(other)};
}

/// `worker` found nothing, and is about to wait. Whether a thread that could not see that yet has left something.
bool PlanningStrategy::came_meanwhile(WorkerId worker) {
  if (!tasks_.may_wait()) return false;
  context_.waiters.insert(worker);
  if (flow_.empty()) return false;
  context_.waiters.erase(worker);
  flow_.catch_up();
  return true;
}

/// `worker` took a task that it cannot run after all.
void PlanningStrategy::refuse(PlannedTask& record, WorkerId worker) {
  Turn turn(tasks_.mutex());
  flow_.catch_up();
  records_.take_back_last(worker);
  policy_.finished(worker, record.owner, seconds_now(), std::nullopt);
  tasks_.park(record);
  tasks_.queued.fetch_add(1);
  turn.wake(tasks_.choose_wakes(true));
}

/// Starts the copies of planned tasks, then lets others see them.
void PlanningStrategy::start(std::vector<Fetch> fetches) {
  while (!fetches.empty()) {
    for (const auto& [record, worker, priority] : fetches) {
      starpu_task& task = *static_cast<PlannedTask*>(record)->task();
      if (starpu_get_prefetch_flag() != 0 && task.prefetched == 0)  // StarPU prefetches a task once only
        starpu_prefetch_task_input_for_prio(&task, worker, priority);
    }
    Turn turn(tasks_.mutex());
    for (const Fetch& started : fetches) {
      policy_.hold(*started.task);
      tasks_.held(static_cast<PlannedTask&>(*started.task));
    }
    tasks_.queued.fetch_add(fetches.size());
    flow_.catch_up();
    fetches = to_fetch();
    turn.wake(tasks_.choose_wakes(true));
  }
}

void PlanningStrategy::finished(const starpu_task& task, const Execution& execution) {
  flow_.ended(execution.worker, {.task = &task,
                                 .ticket = TaskMark::of(task).ticket,
                                 .now = execution.finished * 1e-6,
                                 .ran = execution.measured()});
}

/// Other workers would wait for one that counts as busy for ever. So this one counts as idle from the start.
void PlanningStrategy::started_unseen(WorkerId worker, starpu_task& task) {
  flow_.ended(worker, {.task = &task,
                       .ticket = task.no_submitorder != 0 ? TaskMark::of(task).ticket : TaskGraph::kNoTicket,
                       .now = seconds_now()});
}

void PlanningStrategy::finished_unreported(const ExecutionWatch::UnreportedEnd& end) {
  if (end.foreseen) return;
  // With end dependencies the task has not ended, though its worker is free.
  flow_.ended(end.execution.worker,
              {.task = end.task,
               .ticket = end.internal ? TaskMark::in(end.sched_data).ticket : TaskGraph::kNoTicket,
               .now = end.execution.finished * 1e-6});
}

void PlanningStrategy::ended_elsewhere(starpu_task& task) {
  Turn turn(tasks_.mutex());
  flow_.catch_up();
  flow_.gone(task, seconds_now());
  turn.wake(tasks_.choose_wakes(true));
}

void PlanningStrategy::diverted() {
  if (!tasks_.calls_for_another()) return;
  Turn turn(tasks_.mutex());
  flow_.catch_up();
  turn.wake(tasks_.choose_wakes(true));
}

void PlanningStrategy::bound(starpu_task& task, WorkerId worker) {
  const auto seconds = context_.predict(task, worker);
  if (!seconds) return;
  const Turn turn(tasks_.mutex());
  flow_.catch_up();
  policy_.bound(worker, &task, *seconds, seconds_now());
}

void PlanningStrategy::workers_left() {
  const Turn turn(tasks_.mutex());
  flow_.catch_up();
  note_presence();
}

/// Tells the parts which workers the context has. Tasks that workers which left had taken along are queued again.
void PlanningStrategy::note_presence() {
  tasks_.note_presence();
  for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
    const bool present = starpu_sched_ctx_contains_worker(static_cast<int>(worker), context_.id) != 0;
    if (!present) give_back_batch(worker);
    policy_.set_present(worker, present);
  }
}

}  // namespace starpath
