// A StarPU task in a policy's queue.
#pragma once

#include <starpu.h>

#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

struct QueuedTask : TaskRecord {
  starpu_task* task() const { return static_cast<starpu_task*>(owner); }

  /// Where it is. Only look-ahead tells `reserved` and `gone` apart from `queued`.
  enum class State : std::uint8_t {
    parked,    ///< no worker of the context can run it just now
    queued,    ///< in the policy's queue
    reserved,  ///< out of the policy's queue, held for a worker
    gone,      ///< its task was handed out past the policy's queue, which still holds the record
  };

  double queued_at = 0;  ///< StarPU's clock, microseconds; 0 unless the user asked for statistics or a trace
  State state = State::queued;
  bool fetched = false;      ///< look-ahead only: its transfers were started ahead
  std::uint32_t ticket = 0;  ///< look-ahead: differs for every task of the queue, 0 once handed out; planning: in the
                             ///< graph
};

static_assert(sizeof(QueuedTask) == 128, "long queues are cold: a record is two cache lines");

using QueuedTaskPool = SlabPool<QueuedTask>;

}  // namespace starpath
