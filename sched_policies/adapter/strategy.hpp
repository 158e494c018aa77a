// How a context deals with its tasks: one interface for all ways.
#pragma once
#include <starpu.h>

#include "sched_policies/adapter/execution_watch.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/observe/execution.hpp"

namespace starpath {

/// Queues ready tasks and hands them to workers. Chosen once for a context: PlanningStrategy where the policy plans in
/// time and run times can be known (ShortTaskStrategy where cores alone have tasks too short for that),
/// LookAheadStrategy where accelerators reserve tasks or reuse data, else PlainStrategy. The methods follow StarPU's
/// hooks, with StarPU's rules on who calls them when.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Queues a ready task, and wakes a worker that waits for one.
  virtual void push(starpu_task& task) = 0;
  /// A task for `worker`, by its own thread; nullptr: none now.
  virtual starpu_task* pop(WorkerId worker) = 0;

  /// A task was submitted that has a codelet and may run on a worker.
  virtual void submitted(starpu_task& /*task*/) {}
  /// A worker got a task past the policy: another worker has to be told of the task that it was told of.
  virtual void diverted() = 0;
  /// `worker` starts a task that did not come from here: what it had from here has ended. By its thread.
  virtual void started_other(WorkerId worker) = 0;
  /// `worker` will run a task of this context before it asks for one: the application chose it.
  virtual void bound(starpu_task& /*task*/, WorkerId /*worker*/) {}
  /// Workers may have left the context.
  virtual void workers_left() {}

  /// Whether the strategy wants to know when `worker` executes what.
  virtual bool follows(WorkerId /*worker*/) const { return false; }
  /// `worker` starts a task whose end will not be reported before the worker starts another one.
  virtual void started_unseen(WorkerId /*worker*/, starpu_task& /*task*/) {}
  /// `worker`, which is followed, reports the end of a task.
  virtual void finished(const starpu_task& /*task*/, const Execution& /*execution*/) {}
  /// The same, without a report; by the worker's thread.
  virtual void finished_unreported(const ExecutionWatch::UnreportedEnd& /*end*/) {}
  /// A task ended after its worker had gone on; by any thread.
  virtual void ended_elsewhere(starpu_task& /*task*/) {}
};

}  // namespace starpath
