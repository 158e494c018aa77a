// CUDA workers of StarPU: the CUDA stream and the scratch memory of each. with_cuda/ or without_cuda/ defines what is
// here, as the build has CUDA or not.
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

/// For use in a task on a CUDA worker: its CUDA stream, and scratch memory that no other worker uses. What is taken of
/// it may be taken again by the worker's next task, which the CUDA stream orders after this one.
KernelContext gpu_context();

/// Takes, on every CUDA worker, the `scratch` bytes that codelets need for images of up to `pixels` pixels, so that no
/// task has to. Workers without room for it get no task with larger images than before; what is returned says so, a
/// line for each of them. StarPU must be running, and no task.
std::vector<std::string> prepare_gpu_workers(std::int64_t pixels, std::size_t scratch);

/// Gives the scratch memory back. Before StarPU stops, with no task running.
void release_gpu_workers();

/// CUDA's words for the error that the calling thread was told of last; nullptr when there was none.
const char* gpu_error();

/// can_execute of codelets with a CUDA implementation: false where a task's first buffer is an image that a worker has
/// no room for.
int has_room(unsigned worker, starpu_task* task, unsigned implementation);

}  // namespace starpath::codelets
