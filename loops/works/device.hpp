// What runs a block or a tile of a loop.
#pragma once
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/starpu/kernel_codelet.hpp"

namespace starpath {

/// What runs a block: the contexts and kernels of the CPU, or those of a GPU.
struct Device {
  KernelContext context;
  bool gpu = false;

  /// Of the two implementations of a kernel the one for this device. A build without CUDA leaves `on_gpu` out.
  template <auto on_cpu, auto on_gpu>
  auto choose() const {
    if constexpr (codelets::kCudaCompiled) return gpu && !codelets::gpus_take_cpu_kernels() ? on_gpu : on_cpu;
    return on_cpu;
  }
};

/// The calling thread.
inline Device cpu_device() { return {KernelContext{codelets::worker_scratch()}}; }

}  // namespace starpath
