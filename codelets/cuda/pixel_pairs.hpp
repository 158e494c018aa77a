// Two pixels of 16 bits in one register, the left one in the lower half. A GPU compares both in one instruction.
#pragma once
#include <algorithm>

#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {

using PixelPair = unsigned;

#if defined(__CUDACC__)

__device__ inline PixelPair pixel_max(PixelPair a, PixelPair b) { return __vmaxu2(a, b); }
__device__ inline PixelPair pixel_min(PixelPair a, PixelPair b) { return __vminu2(a, b); }

#else

inline PixelPair pixel_max(PixelPair a, PixelPair b) {
  return std::max(a & 0xFFFFU, b & 0xFFFFU) | std::max(a >> 16, b >> 16) << 16;
}
inline PixelPair pixel_min(PixelPair a, PixelPair b) {
  return std::min(a & 0xFFFFU, b & 0xFFFFU) | std::min(a >> 16, b >> 16) << 16;
}

#endif

/// The right pixel of one pair and the left pixel of the next.
STARPATH_HD constexpr PixelPair between(PixelPair left, PixelPair right) { return left >> 16 | right << 16; }

/// The higher of each pixel and its neighbours in the row; `before` and `after` are the pairs beside.
__device__ inline PixelPair highest_in_row(PixelPair before, PixelPair pair, PixelPair after) {
  return pixel_max(pair, pixel_max(between(before, pair), between(pair, after)));
}

}  // namespace starpath::cuda
