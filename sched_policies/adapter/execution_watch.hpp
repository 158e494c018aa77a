// Follows tasks from a worker taking them to their end.
#pragma once
#include <starpu.h>

#include <optional>
#include <string>
#include <vector>

#include "sched_policies/adapter/queued_task.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/execution_times.hpp"
#include "sched_policies/estimates/lesson.hpp"
#include "sched_policies/observe/execution.hpp"

namespace starpath {

/// What each worker runs. StarPU tells when a worker starts a task, but does not always tell when the task ends. It
/// reports no end of its internal tasks (reductions, copies). The end of a task with end dependencies is reported by
/// the thread that releases the last of them. So an execution also ends when its worker starts another task, or asks
/// for one although it could not do so while this one runs.
///
/// It follows the tasks of contexts without a policy too, because StarPU reports these to all other contexts of a
/// worker.
///
/// All calls for one worker come from the thread that drives it; calls for different workers may run at once.
class ExecutionWatch {
 public:
  /// The end of an execution that its worker did not report. The task may be gone.
  struct UnreportedEnd {
    const starpu_task* task = nullptr;
    const void* sched_data = nullptr;  ///< starpu_task::sched_data when it started
    bool internal = false;             ///< StarPU's own task: nobody will report its end
    bool foreseen = false;             ///< `started` returned true for it
    Execution execution = {};          ///< holds until the worker starts a task
  };

  /// For the context `id`. `observed`: whether somebody wants to know of every execution.
  ExecutionWatch(const Machine& machine, unsigned id, bool observed)
      : machine_(machine), id_(id), observed_(observed), workers_(machine.workers()) {
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      workers_[worker].type = starpu_worker_get_type(static_cast<int>(worker));
    }
  }

  /// `worker` took the task of `record`, which it should run for `expected` seconds. For statistics and traces only.
  void taken(WorkerId worker, const QueuedTask& record, std::optional<double> expected);

  /// `worker` asks for a task.
  std::optional<UnreportedEnd> asked(WorkerId worker) {
    Worker& state = workers_[worker];
    state.ended_last = false;
    const Running& run = state.running;
    if (run.task == nullptr || run.asks_meanwhile) return std::nullopt;
    return end_unreported(worker);
  }
  /// `worker` is about to start a task. Call `started` next.
  std::optional<UnreportedEnd> starts(WorkerId worker) {
    if (workers_[worker].running.task == nullptr) return std::nullopt;
    return end_unreported(worker);
  }
  /// `worker` starts `task`, which may have come past the policy. `lesson`: what to learn from its time with, if
  /// that is to be learnt from. Returns true when the task may end and nothing tells before the worker starts
  /// another one.
  bool started(WorkerId worker, starpu_task& task, const std::optional<Lesson>& lesson);

  /// `worker` reports the end of `task`; nullopt when that is not what it runs.
  std::optional<Execution> finished(WorkerId worker, const starpu_task& task);
  /// What `started` was given for the task whose end `worker` reported last; holds until the worker starts a task.
  const std::optional<Lesson>& lesson(WorkerId worker) const { return workers_[worker].running.lesson; }

 private:
  struct Taken {
    const starpu_task* task = nullptr;
    double queued = 0;
    std::optional<double> speedup, expected;
  };
  struct Running {
    const starpu_task* task = nullptr;  // nullptr: nothing
    const void* sched_data = nullptr;
    bool internal = false;
    bool foreign = false;
    bool asks_meanwhile = false;  // the worker may ask for a task while it runs this one
    bool ends_unseen = false;
    std::optional<Lesson> lesson;
    // If observed:
    std::optional<double> queued;  // nullopt for a task that came past the policy
    std::optional<double> speedup, expected;
    int priority = 0;
    std::string codelet;  // its name
  };
  struct alignas(64) Worker {  // each its own thread's
    starpu_worker_archtype type = STARPU_CPU_WORKER;
    Running running;
    ExecutionTimes times;
    bool ended_last = false;   // it has not asked for a task since the last end: what starts now is next
    std::vector<Taken> taken;  // and not started
  };
  static void note_particulars(Worker& state, const starpu_task& task);
  Execution end(WorkerId worker);
  UnreportedEnd end_unreported(WorkerId worker);

  const Machine& machine_;
  const unsigned id_;
  const bool observed_;
  std::vector<Worker> workers_;
};

}  // namespace starpath
