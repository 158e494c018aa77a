// The end of a task: what StarPU measured of it.
#pragma once
#include <starpu.h>

#include "codelets/starpu/device_tasks.hpp"

namespace starpath {

struct TaskRun {
  const char* kind;  // of worker: "cpu" or "cuda"
  double seconds;    // of execution
};

/// For a task's callback, while profiling is on. A GPU has one task less on its way after it.
inline TaskRun end_of(const starpu_task& task) {
  starpu_profiling_task_info* info = task.profiling_info;
  if (info == nullptr) return {"cpu", 0};
  const bool cuda = info->workerid >= 0 && starpu_worker_get_type(info->workerid) == STARPU_CUDA_WORKER;
  if (cuda) codelets::device_tasks(info->workerid).end();
  return {cuda ? "cuda" : "cpu", starpu_timing_timespec_delay_us(&info->start_time, &info->end_time) * 1e-6};
}

}  // namespace starpath
