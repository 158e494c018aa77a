// Prefix sums: CUB on a GPU, the standard library in the SIMT host runtime.
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>
#else
#include <numeric>
#endif

namespace starpath::cuda {

/// sums[i] = values[0] + ... + values[i - 1]. May work in place. Takes scratch memory. Throws DeviceError.
inline void exclusive_sums(const KernelContext& context, const std::int32_t* values, std::int32_t* sums,
                           std::int64_t count) {
#if defined(__CUDACC__)
  const auto stream = static_cast<cudaStream_t>(context.stream);
  const auto check = [](cudaError_t error) {
    if (error != cudaSuccess)
      throw DeviceError(std::string("CUDA kernel exclusive_sums: ") + cudaGetErrorString(error));
  };
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, sums, count, stream));
  std::byte* const memory = context.scratch.take<std::byte>(bytes).data();
  check(cub::DeviceScan::ExclusiveSum(memory, bytes, values, sums, count, stream));
#else
  static_cast<void>(context);
  std::exclusive_scan(values, values + count, sums, std::int32_t{0});
#endif
}

}  // namespace starpath::cuda
