// Follows tasks from a worker taking them to their end.
#include "sched_policies/adapter/run_watch.hpp"

#include <algorithm>
#include <utility>

#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {

void RunWatch::taken(WorkerId worker, const QueuedTask& record) {
  workers_[worker].taken.push_back({.task = record.task(),
                                    .started = 0,
                                    .queued = record.queued_at,
                                    .speedup = record.speedups.of(machine_.class_of(worker)),
                                    .teaches = false});
}

void RunWatch::started(WorkerId worker, starpu_task& task, bool teaches) {
  auto& taken = workers_[worker].taken;
  auto own = std::ranges::find(taken, &task, &Taken::task);
  if (own == taken.end())
    own = taken.insert(taken.end(), Taken{.task = &task, .started = 0, .queued = {}, .speedup = {}, .teaches = false});
  own->teaches = teaches;
  own->started = starpu_timing_now();
}

std::optional<Execution> RunWatch::finished(WorkerId worker, const starpu_task& task) {
  Worker& state = workers_[worker];
  const auto own = std::ranges::find(state.taken, &task, &Taken::task);
  if (own == state.taken.end()) return std::nullopt;
  Execution execution;
  execution.codelet = codelet_name(*task.cl);
  execution.worker = worker;
  // A GPU is handed its next task before the last one ended: that one's time is not this one's.
  execution.started = std::max(own->started, state.last_finished);
  execution.finished = state.last_finished = starpu_timing_now();
  execution.priority = task.priority;
  execution.queued = own->queued;
  execution.speedup = own->speedup;
  execution.teaches = own->teaches;
  state.taken.erase(own);
  return execution;
}

}  // namespace starpath
