// The end of a task, with StarPU's measurements.
#pragma once
#include <starpu.h>

#include "codelets/starpu/device_tasks.hpp"
#include "codelets/starpu/gpu_workers.hpp"

namespace starpath {

struct TaskExecution {
  const char* kind = "cpu";          // of worker: "cpu" or codelets::kGpuKind
  int worker = -1;                   // StarPU's number of it; -1 when not known
  double started = 0, finished = 0;  // execution, microseconds of StarPU's clock

  double seconds() const { return (finished - started) * 1e-6; }
};

/// For a task's callback, while profiling is on. A GPU has one task less on its way after it.
inline TaskExecution end_of(const starpu_task& task) {
  starpu_profiling_task_info* info = task.profiling_info;
  if (info == nullptr) return {};
  const bool gpu = info->workerid >= 0 && codelets::is_gpu(info->workerid);
  if (gpu) codelets::device_tasks(info->workerid).end();
  return {gpu ? codelets::kGpuKind : "cpu", info->workerid, starpu_timing_timespec_to_us(&info->start_time),
          starpu_timing_timespec_to_us(&info->end_time)};
}

}  // namespace starpath
