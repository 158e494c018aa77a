// Operations of the lanes of a warp together. All 32 lanes call them, and all get the result.
#pragma once
#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {

template <class T>
__device__ T warp_sum(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(~0U, value, lanes);
  return value;
}

template <class T>
__device__ T warp_min(T value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    const T other = __shfl_xor_sync(~0U, value, lanes);
    value = other < value ? other : value;
  }
  return value;
}

}  // namespace starpath::cuda
