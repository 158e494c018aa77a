// Running a kernel in a task: scratch memory, and the handling of an exception.
#pragma once
#include <starpu.h>

#include <exception>
#include <string>

#include "codelets/kernels/kernel_context.hpp"
#include "codelets/starpu/device_tasks.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "codelets/starpu/running_functions.hpp"
#include "codelets/starpu/task_status.hpp"

namespace starpath::codelets {

/// This worker's scratch memory: one for all codelets, as it runs one of them at a time.
inline Scratch& worker_scratch() {
  thread_local Scratch scratch;
  return scratch;
}

/// Runs a CPU kernel with this worker's scratch memory, unless the tile has failed. An exception becomes the tile's
/// failure: nothing may be thrown through StarPU.
template <class Kernel>
void run_on_cpu(TaskStatus& status, const char* operation, Kernel&& kernel) {
  const RunningFunctions::Run running;
  if (status.failed()) return;
  try {
    const Scratch::Mark mark(worker_scratch());
    kernel(KernelContext{worker_scratch()});
  } catch (const std::exception& error) {
    status.fail(std::string(operation) + ": " + error.what());
  }
}

/// The same on a GPU: queues a CUDA kernel's work on the worker's CUDA stream and returns. The task is among the
/// worker's device_tasks from then on; its callback says when it has ended.
template <class Kernel>
void run_on_gpu(TaskStatus& status, const char* operation, Kernel&& kernel) {
  device_tasks(starpu_worker_get_id()).begin(operation, status.place());
  if (status.failed()) return;
  try {
    const KernelContext context = gpu_context();
    const Scratch::Mark mark(context.scratch);
    kernel(context);
  } catch (const std::exception& error) {
    status.fail(std::string(operation) + " on a GPU: " + error.what());
  }
}

}  // namespace starpath::codelets
