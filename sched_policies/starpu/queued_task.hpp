// A StarPU task in a policy's queue.
#pragma once

#include <starpu.h>

#include <deque>
#include <vector>

#include "sched_policies/core/task_record.hpp"

namespace starpath {

struct QueuedTask : TaskRecord {
  starpu_task* task() const { return static_cast<starpu_task*>(owner); }

  double queued_at = 0;  ///< StarPU's clock, microseconds; 0 unless someone watches runs
};

/// Records for tasks, used again and again: as many as were ever queued at once. Not thread-safe.
class QueuedTaskPool {
 public:
  QueuedTask& take() {
    if (free_.empty()) return all_.emplace_back();
    QueuedTask& record = *free_.back();
    free_.pop_back();
    return record;
  }
  void give_back(QueuedTask& record) { free_.push_back(&record); }

 private:
  std::deque<QueuedTask> all_;
  std::vector<QueuedTask*> free_;
};

}  // namespace starpath
