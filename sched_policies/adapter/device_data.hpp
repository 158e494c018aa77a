// Which data are in the memories of devices, as StarPU says.
#pragma once
#include <starpu.h>

#include "sched_policies/core/data_presence.hpp"

namespace starpath {

/// Answers from StarPU's books, without a lock. A record's owner is its starpu_task. Thread-safe.
class DeviceData final : public DataPresence {
 public:
  bool short_of_room(MemoryId memory) const override {
    const starpu_ssize_t total = starpu_memory_get_total(memory);
    return total > 0 && starpu_memory_get_available(memory) < total / kLittle;
  }

  double missing(const TaskRecord& record, MemoryId memory) const override {
    starpu_task& task = *static_cast<starpu_task*>(record.owner);
    double bytes = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)); ++i) {
      if ((STARPU_TASK_GET_MODE(&task, i) & STARPU_R) == 0) continue;
      starpu_data_handle_t const handle = STARPU_TASK_GET_HANDLE(&task, i);
      int allocated = 0, valid = 0, loading = 0, requested = 0;
      starpu_data_query_status2(handle, static_cast<int>(memory), &allocated, &valid, &loading, &requested);
      if (valid == 0) bytes += static_cast<double>(starpu_data_get_size(handle));
    }
    return bytes;
  }

 private:
  static constexpr starpu_ssize_t kLittle = 8;  // of a memory so much is left when data begin to leave it
};

}  // namespace starpath
