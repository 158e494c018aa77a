// CUDA streams and memory of CUDA workers.
#include "codelets/starpu/with_gpus/gpu_device.hpp"

#include <starpu.h>

#include <cstdint>

#include "codelets/starpu/gpu_workers.hpp"

namespace starpath::codelets {
namespace {

unsigned node_of(void* self) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(self)); }

void* allocate(void* self, std::size_t bytes) {
  return reinterpret_cast<void*>(starpu_malloc_on_node_flags(node_of(self), bytes, STARPU_MALLOC_COUNT));
}
void release(void* self, void* data, std::size_t bytes) {
  starpu_free_on_node_flags(node_of(self), reinterpret_cast<std::uintptr_t>(data), bytes, STARPU_MALLOC_COUNT);
}

}  // namespace

MemorySource gpu_memory(unsigned node) {
  return {allocate, release, reinterpret_cast<void*>(static_cast<std::uintptr_t>(node))};
}

void* gpu_stream() {
  // StarPU asks events on this thread; a launch could otherwise find the cudaErrorNotReady of such an answer.
  static_cast<void>(cudaGetLastError());
  return starpu_cuda_get_local_stream();
}

const char* gpu_error() {
  const cudaError_t error = cudaPeekAtLastError();
  return error == cudaSuccess || error == cudaErrorNotReady ? nullptr : cudaGetErrorString(error);
}

}  // namespace starpath::codelets
