// A queued task under a policy that plans, and what marks it while StarPU has it.
#pragma once
#include <starpu.h>

#include <bit>
#include <cstdint>

#include "sched_policies/adapter/queued_task.hpp"
#include "sched_policies/planning/task_graph.hpp"

namespace starpath {

struct PlannedTask : QueuedTask {
  TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
};

static_assert(sizeof(PlannedTask) == sizeof(QueuedTask));

/// Kept in starpu_task::sched_data, which StarPU leaves to policies. A task in which another policy put something is
/// not known.
struct TaskMark {
  TaskGraph::Ticket ticket = TaskGraph::kNoTicket;  ///< in the graph
  std::uint32_t submission = 0;                     ///< differs for every submission of the context

  static TaskMark in(const void* sched_data) { return std::bit_cast<TaskMark>(sched_data); }
  static TaskMark of(const starpu_task& task) { return in(task.sched_data); }
  void put_on(starpu_task& task) const { task.sched_data = std::bit_cast<void*>(*this); }
};

}  // namespace starpath
