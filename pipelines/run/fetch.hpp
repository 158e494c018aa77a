// Small results on their way from a task to the thread that runs the pipeline.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstring>

namespace starpath {

/// Copies the `bytes` that tasks wrote into `handle` from the device that has them; waits for these tasks. The handle
/// must have been registered without memory of the caller: StarPU's own can be pinned, and a copy from a GPU into other
/// memory would hold up the thread that drives that GPU.
inline void fetch(starpu_data_handle_t handle, void* to, std::size_t bytes) {
  starpu_data_acquire(handle, STARPU_R);
  std::memcpy(to, starpu_data_get_local_ptr(handle), bytes);
  starpu_data_release(handle);
}

}  // namespace starpath
