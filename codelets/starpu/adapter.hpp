// From StarPU's buffers to kernel arguments: what every codelet file uses.
#pragma once
#include <starpu.h>

#include <exception>
#include <initializer_list>
#include <span>
#include <string>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/starpu/device_tasks.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "codelets/starpu/task_status.hpp"

namespace starpath::codelets {

/// A matrix buffer (nx = width, ny = height, ld = stride, element T) as a view.
template <class T>
View<T> image(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_MATRIX_GET_PTR(buffer)), static_cast<int>(STARPU_MATRIX_GET_NX(buffer)),
          static_cast<int>(STARPU_MATRIX_GET_NY(buffer)), static_cast<std::ptrdiff_t>(STARPU_MATRIX_GET_LD(buffer))};
}

/// A vector buffer as a span.
template <class T>
std::span<T> array(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffer)), STARPU_VECTOR_GET_NX(buffer)};
}

template <class T>
T* variable(void* buffer) {
  return reinterpret_cast<T*>(STARPU_VARIABLE_GET_PTR(buffer));
}

/// This worker's scratch memory: one for all codelets, as it runs one of them at a time.
inline Scratch& worker_scratch() {
  thread_local Scratch scratch;
  return scratch;
}

/// Runs a CPU kernel with this worker's scratch memory, unless the tile has failed; turns an exception into the tile's
/// failure, since nothing may be thrown through StarPU.
template <class Kernel>
void run_on_cpu(void* cl_arg, const char* operation, Kernel&& kernel) {
  auto& status = *static_cast<TaskStatus*>(cl_arg);
  if (status.failed()) return;
  try {
    const Scratch::Mark mark(worker_scratch());
    kernel(KernelContext{worker_scratch()});
  } catch (const std::exception& error) {
    status.fail(std::string(operation) + ": " + error.what());
  }
}

/// The same on a GPU: queues a CUDA kernel's work on the worker's stream and returns. The task is among the worker's
/// device_tasks from then on; its callback says when it has ended.
template <class Kernel>
void run_on_gpu(void* cl_arg, const char* operation, Kernel&& kernel) {
  auto& status = *static_cast<TaskStatus*>(cl_arg);
  device_tasks(starpu_worker_get_id_check()).begin(operation, status.place());
  if (status.failed()) return;
  try {
    const KernelContext context = gpu_context();
    const Scratch::Mark mark(context.scratch);
    kernel(context);
  } catch (const std::exception& error) {
    status.fail(std::string(operation) + " on a GPU: " + error.what());
  }
}

/// A codelet with a CPU implementation and StarPU's own history model (for the dmda family), named
/// "starpath_<operation>". `operation` and `model` must live as long as the program.
inline starpu_codelet make_codelet(const char* operation, starpu_cpu_func_t cpu, starpu_perfmodel* model,
                                   std::initializer_list<starpu_data_access_mode> modes) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = operation;
  codelet.cpu_funcs[0] = cpu;
  codelet.nbuffers = static_cast<int>(modes.size());
  int i = 0;
  for (const auto mode : modes) codelet.modes[i++] = mode;
  codelet.model = model;
  return codelet;
}

/// Adds a CUDA implementation that queues its work (STARPU_CUDA_ASYNC), in a build with CUDA. A task's size is that of
/// its first buffer, if that is an image (has_room).
inline starpu_codelet with_cuda(starpu_codelet codelet, starpu_cuda_func_t cuda) {
  if (!cuda_compiled()) return codelet;
  codelet.cuda_funcs[0] = cuda;
  codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
  codelet.can_execute = has_room;
  return codelet;
}

inline starpu_perfmodel history_model(const char* symbol) {
  starpu_perfmodel model{};
  model.type = STARPU_HISTORY_BASED;
  model.symbol = symbol;
  return model;
}

}  // namespace starpath::codelets
