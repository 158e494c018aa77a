// Tasks that are worth a plan go to a policy that plans, and short ones past it.
#include "sched_policies/adapter/short_task_strategy.hpp"

#include <utility>

#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/adapter/planned_task.hpp"

namespace starpath {
namespace {

/// Whether the planning policy was told of the task's submission.
bool is_planned(const starpu_task& task) { return TaskMark::of(task).submission != 0; }

/// What PlainStrategy needs to know: nothing of run times.
ContextFacts without_estimates(const ContextFacts& context, Waiters& waiters) {
  return {.id = context.id,
          .info = context.info,
          .options = context.options,
          .machine = context.machine,
          .estimates = context.estimates,
          .waiters = waiters,
          .executions = context.executions,
          .observed = context.observed,
          .uses_estimates = false};
}

}  // namespace

ShortTaskStrategy::ShortTaskStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> short_queue,
                                     std::unique_ptr<PolicyQueue> planned_queue, Planner& planner)
    : context_(context),
      short_facts_(without_estimates(context, short_waiters_)),
      lengths_(context.machine.workers()),
      short_(short_facts_, std::move(short_queue)),
      planned_(context, std::move(planned_queue), planner) {}

bool ShortTaskStrategy::wanted(const ContextFacts& context) {
  return !kWorkersSleep && context.machine.classes().size() == 1 && starpu_memory_nodes_get_count() == 1;
}

void ShortTaskStrategy::submitted(starpu_task& task) {
  const bool is_short =
      TaskMark::of(task).ticket == TaskGraph::kNoTicket && task.where != STARPU_NOWHERE && lengths_.of(task.cl);
  if (is_short != short_lately_.load(std::memory_order_relaxed))
    short_lately_.store(is_short, std::memory_order_relaxed);
  if (is_short)
    TaskMark{}.put_on(task);
  else
    planned_.submitted(task);
}

void ShortTaskStrategy::push(starpu_task& task) {
  if (is_planned(task))
    planned_.push(task);
  else
    short_.push(task);
}

starpu_task* ShortTaskStrategy::pop(WorkerId worker) {
  if (short_lately_.load(std::memory_order_relaxed)) {
    starpu_task* const task = pop_planned(worker);
    return task != nullptr ? task : pop_short(worker);
  }
  starpu_task* const task = pop_short(worker);
  return task != nullptr ? task : pop_planned(worker);
}

/// The worker will not come to a planned task that it was told of.
starpu_task* ShortTaskStrategy::pop_short(WorkerId worker) {
  starpu_task* const task = short_.pop(worker);
  if (task != nullptr && context_.waiters.any()) {
    context_.waiters.erase(worker);
    planned_.diverted();
  }
  return task;
}

/// The same the other way round.
starpu_task* ShortTaskStrategy::pop_planned(WorkerId worker) {
  starpu_task* const task = planned_.pop(worker);
  if (task != nullptr && short_waiters_.any()) {
    short_waiters_.erase(worker);
    short_.diverted();
  }
  return task;
}

void ShortTaskStrategy::diverted() {
  short_.diverted();
  planned_.diverted();
}

void ShortTaskStrategy::started_other(WorkerId worker) {
  short_waiters_.erase(worker);
  short_.started_other(worker);
  planned_.started_other(worker);
}

void ShortTaskStrategy::bound(starpu_task& task, WorkerId worker) {
  if (is_planned(task)) planned_.bound(task, worker);
}

void ShortTaskStrategy::workers_left() {
  short_waiters_.clear();
  short_.workers_left();
  planned_.workers_left();
}

void ShortTaskStrategy::finished(const starpu_task& task, const Execution& execution) {
  if (const auto ran = execution.measured()) lengths_.ran(execution.worker, task.cl, *ran);
  if (is_planned(task)) planned_.finished(task, execution);
}

}  // namespace starpath
