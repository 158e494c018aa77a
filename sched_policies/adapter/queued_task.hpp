// A StarPU task in a policy's queue.
#pragma once
#include <starpu.h>

#include "sched_policies/core/task_record.hpp"

namespace starpath {

struct QueuedTask : TaskRecord {
  starpu_task* task() const { return static_cast<starpu_task*>(owner); }

  double queued_at = 0;  ///< StarPU's clock, microseconds; 0 unless the user asked for statistics or a trace
};

static_assert(sizeof(QueuedTask) == 128, "long queues are cold: a record is two cache lines");

}  // namespace starpath
