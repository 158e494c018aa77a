// The records of a context's tasks.
#pragma once
#include <starpu.h>

#include <vector>

#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/slab_pool.hpp"

namespace starpath {

/// Makes records of tasks, and keeps each one for the worker that was handed its task until that worker takes the lock
/// again. So the worker may look at the record without the lock.
template <class Record>
class RecordPool {
 public:
  RecordPool() : handed_out_(STARPU_NMAXWORKERS) {}

  Record* take() STARPATH_REQUIRES(context_lock) { return pool_.take(); }
  void give_back(Record* record) STARPATH_REQUIRES(context_lock) { pool_.give_back(record); }

  /// By the thread of `worker`.
  void hand_out(WorkerId worker, Record* record) { handed_out_[worker].records.push_back(record); }
  /// `worker` was handed the task of its last record, and cannot run it. By the thread of `worker`.
  void take_back_last(WorkerId worker) { handed_out_[worker].records.pop_back(); }
  /// `worker` has the lock, and is done with the records that it was handed.
  void recycle(WorkerId worker) STARPATH_REQUIRES(context_lock) {
    for (Record* const record : handed_out_[worker].records) pool_.give_back(record);
    handed_out_[worker].records.clear();
  }

 private:
  struct alignas(64) HandedOut {  // each its own thread's
    std::vector<Record*> records;
  };
  SlabPool<Record> pool_ STARPATH_GUARDED_BY(context_lock);
  std::vector<HandedOut> handed_out_;  // by worker
};

}  // namespace starpath
