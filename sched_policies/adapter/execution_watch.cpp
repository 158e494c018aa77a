// Follows tasks from a worker taking them to their end.
#include "sched_policies/adapter/execution_watch.hpp"

#include <algorithm>

#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {

void ExecutionWatch::taken(WorkerId worker, const QueuedTask& record, std::optional<double> expected) {
  workers_[worker].taken.push_back({.task = record.task(),
                                    .queued = record.queued_at,
                                    .speedup = record.speedups.of(machine_.class_of(worker)),
                                    .expected = expected});
}

bool ExecutionWatch::started(WorkerId worker, starpu_task& task, const std::optional<Lesson>& lesson) {
  Worker& state = workers_[worker];
  Running& run = state.running;
  run.task = &task;
  run.sched_data = task.sched_data;
  run.internal = task.no_submitorder != 0;  // StarPU sets it for its own tasks
  run.foreign = task.sched_ctx != id_;
  run.asks_meanwhile =
      state.type != STARPU_CPU_WORKER && is_asynchronous(*task.cl, state.type, starpu_task_get_implementation(&task));
  run.ends_unseen = run.asks_meanwhile && (run.internal || task.nb_termination_call_required != 0);
  run.lesson = lesson;
  if (observed_) note_particulars(state, task);
  const double now = starpu_timing_now();
  if (!given_ahead(task, state.type)) {
    state.times.start(now);
  } else if (state.ended_last) {
    state.times.start_behind(now);
  } else {
    state.times.start_behind_another(now);
  }
  return run.ends_unseen;
}

/// Keeps the facts for statistics and traces about the task that the worker starts.
void ExecutionWatch::note_particulars(Worker& state, const starpu_task& task) {
  Running& run = state.running;
  run.codelet = codelet_name(*task.cl);
  run.priority = task.priority;
  run.queued = run.speedup = run.expected = std::nullopt;
  const auto taken = std::ranges::find(state.taken, &task, &Taken::task);
  if (taken == state.taken.end()) return;
  run.queued = taken->queued;
  run.speedup = taken->speedup;
  run.expected = taken->expected;
  state.taken.erase(taken);
}

std::optional<Execution> ExecutionWatch::finished(WorkerId worker, const starpu_task& task) {
  if (workers_[worker].running.task != &task) return std::nullopt;
  Execution execution = end(worker);
  execution.codelet = codelet_name(*task.cl);
  return execution;
}

/// Ends the execution on the worker now.
Execution ExecutionWatch::end(WorkerId worker) {
  Worker& state = workers_[worker];
  Running& run = state.running;
  run.task = nullptr;
  Execution execution;
  execution.codelet = run.codelet;
  execution.worker = worker;
  const ExecutionTimes::Span span = state.times.end(starpu_timing_now());
  state.ended_last = true;
  execution.started = span.started;
  execution.finished = span.finished;
  execution.sure = span.sure;
  execution.queued = run.queued;
  execution.speedup = run.speedup;
  execution.expected = run.expected;
  execution.priority = run.priority;
  execution.foreign = run.foreign;
  return execution;
}

ExecutionWatch::UnreportedEnd ExecutionWatch::end_unreported(WorkerId worker) {
  const Running& run = workers_[worker].running;
  UnreportedEnd unreported{
      .task = run.task, .sched_data = run.sched_data, .internal = run.internal, .foreseen = run.ends_unseen};
  unreported.execution = end(worker);
  return unreported;
}

}  // namespace starpath
