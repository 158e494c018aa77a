// The operations of both pipelines on the benchmark tile, on the CPU and on a GPU.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/kernel_context.hpp"

namespace starpath::bench {

struct Operation {
  std::string name;
  std::size_t bytes_in, bytes_out;                // of its buffers
  std::function<void()> cpu;                      // with the optimised CPU kernel
  std::function<void(const KernelContext&)> gpu;  // queued
  std::function<bool()> equal;                    // whether the last results of both are the same bytes
  bool segmentation = true;                       // or of NBIA, or of the learned detector
};

/// In the order of the pipelines. They hold their buffers, on both sides.
std::vector<Operation> operations();

}  // namespace starpath::bench
