// Histograms of 8-bit values in the regions of an object.
#pragma once
#include "codelets/cuda/object_patch.hpp"

namespace starpath::cuda {

/// By region (nucleus, ring) and channel.
struct RegionHistograms {
  Histogram of[kRegionCount][kStainChannels];
};

/// Counts value(channel, x, y), of the pixel (x, y) of the image, in the patch's regions.
template <class Value>
__device__ void count_values(const Patch& patch, RegionHistograms& counts, Value value) {
  for_patch(patch, [&](int x, int y, int i) {
    const int region = patch.bytes[i];
    if (region == 0) return;
    for (int c = 0; c < kStainChannels; ++c)
      atomicAdd(&counts.of[region - 1][c][value(c, patch.x0 + x, patch.y0 + y)], 1U);
  });
}

}  // namespace starpath::cuda
