// Workers of StarPU that drive GPUs: how a codelet gets an implementation for them, the CUDA stream and the scratch
// memory of each. In the flavour opencl, OpenCL devices on cores take their place, for tests (docs/cuda.md). The
// folders with_gpus/ and with_cuda/ or with_opencl/ define these functions; without_cuda/ defines them in a build for
// CPU workers alone.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/kernels/kernel_context.hpp"

namespace starpath::codelets {

/// Whether the kernels of starpath::cuda are compiled in. Where they are not, nothing may name them.
inline constexpr bool kCudaCompiled = STARPATH_CUDA_COMPILED;
/// Whether OpenCL devices take the place of GPUs.
inline constexpr bool kGpuIsOpenCl = STARPATH_GPU_IS_OPENCL;

/// StarPU's type of the worker of a GPU, and its name in results.
inline constexpr starpu_worker_archtype kGpuWorker = kGpuIsOpenCl ? STARPU_OPENCL_WORKER : STARPU_CUDA_WORKER;
inline constexpr const char* kGpuKind = kGpuIsOpenCl ? "opencl" : "cuda";

inline bool is_gpu(int worker) { return starpu_worker_get_type(worker) == kGpuWorker; }
inline unsigned gpu_worker_count() { return starpu_worker_get_count_by_type(kGpuWorker); }

/// For use in a task on a GPU worker: its CUDA stream, and scratch memory that no other worker uses. The worker's next
/// task, which the CUDA stream orders after this one, may take the same memory again.
KernelContext gpu_context();

/// Allocates on every GPU worker the `scratch` bytes that codelets need for images of up to `pixels` pixels, so that no
/// task has to. A worker that lacks the memory gets no task with images larger than before, and the returned list has a
/// line about it. StarPU must be running without any task.
std::vector<std::string> prepare_gpu_workers(std::int64_t pixels, std::size_t scratch);

/// Gives the scratch memory back. Before StarPU stops, with no task running.
void release_gpu_workers();

/// CUDA's words for the error that the calling thread was told of last; nullptr when there was none.
const char* gpu_error();

/// can_execute of codelets with a GPU implementation: false where a task's first buffer is an image that a worker has
/// no room for.
int has_room(unsigned worker, starpu_task* task, unsigned implementation);

namespace detail {
/// Calls function(buffers, argument) with the buffers of an OpenCL device where the host sees them.
void call_on_opencl_device(starpu_cpu_func_t function, void* buffers[], void* argument);
bool opencl_takes_cpu_kernels();
}  // namespace detail

/// Whether GPU workers are to run kernels of starpath::cpu: OpenCL devices do unless STARPATH_DEVICE_KERNELS=simt.
inline bool gpus_take_cpu_kernels() {
  if constexpr (kGpuIsOpenCl) return detail::opencl_takes_cpu_kernels();
  return false;
}

/// Adds a GPU implementation, a captureless lambda with the parameters of StarPU's functions, which queues its work on
/// gpu_context().stream. A task's size is that of its first buffer, if that is an image (has_room). A build without
/// GPUs changes nothing.
template <class Function>
starpu_codelet with_gpu(starpu_codelet codelet, Function function) {
  if constexpr (kGpuIsOpenCl) {
    codelet.opencl_funcs[0] = [](void* buffers[], void* argument) {
      detail::call_on_opencl_device(Function{}, buffers, argument);
    };
  } else if constexpr (kCudaCompiled) {
    codelet.cuda_funcs[0] = function;
    codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
  }
  if constexpr (kCudaCompiled) codelet.can_execute = has_room;
  return codelet;
}

}  // namespace starpath::codelets
