// Follows tasks from a worker taking them to their end, for statistics, traces and learning.
#pragma once

#include <starpu.h>

#include <optional>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/observe/execution.hpp"
#include "sched_policies/adapter/queued_task.hpp"

namespace starpath {

/// Tasks that workers took and have not finished; a GPU worker has several at once, and taken is not yet running.
/// All calls for one worker come from the thread that drives it; calls for different workers may run at once.
class RunWatch {
 public:
  explicit RunWatch(const Machine& machine) : machine_(machine), workers_(machine.workers()) {}

  /// `worker` took the task of `record`. For statistics and traces only.
  void taken(WorkerId worker, const QueuedTask& record);

  /// `worker` starts `task`, which may have come past the policy. `teaches`: whether it is to be learnt from.
  void started(WorkerId worker, starpu_task& task, bool teaches);

  /// `worker` finished `task`; nullopt when its start was not seen.
  std::optional<Execution> finished(WorkerId worker, const starpu_task& task);

 private:
  struct Taken {
    starpu_task* task = nullptr;
    double started = 0;
    std::optional<double> queued;  // nullopt for a task that came past the policy
    std::optional<double> speedup;
    bool teaches = false;
  };
  struct alignas(64) Worker {  // each its own thread's
    std::vector<Taken> taken;
    double last_finished = 0;
  };

  const Machine& machine_;
  std::vector<Worker> workers_;
};

}  // namespace starpath
