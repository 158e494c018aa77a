// Histograms of 8-bit values in the regions of a patch.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codelets/cpu/feature_patch.hpp"
#include "codelets/kernels/histogram_statistics.hpp"

namespace starpath::cpu {

inline std::uint64_t eight_from(const std::uint8_t* p) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return bytes;
}

/// By channel and Region. Pixels outside the regions are counted too: adding them is cheaper than a branch.
using RegionHistograms = std::array<std::array<Histogram, kRegionCount + 1>, kStainChannels>;

/// Counts the values of one plane a channel. The channels are counted together, because additions to tables of their
/// own do not wait for each other; bytes are loaded eight at a time, because loads bound this loop.
inline void count_values(const PatchRegions& regions, const std::array<std::uint8_t*, kStainChannels>& planes,
                         RegionHistograms& counts) {
  const PatchFrame& f = regions.frame;
  counts = {};
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y) {
    const std::ptrdiff_t end = f.row(y) + regions.row_end[y];
    for (std::ptrdiff_t i = f.row(y) + regions.row_begin[y]; i < end; i += 8) {
      std::uint64_t r = eight_from(regions.bytes + i), a = eight_from(planes[0] + i), b = eight_from(planes[1] + i),
                    c = eight_from(planes[2] + i);
      for (std::ptrdiff_t k = std::min<std::ptrdiff_t>(8, end - i); k > 0; --k) {
        ++counts[0][r & 255][a & 255];
        ++counts[1][r & 255][b & 255];
        ++counts[2][r & 255][c & 255];
        r >>= 8, a >>= 8, b >>= 8, c >>= 8;
      }
    }
  }
}

}  // namespace starpath::cpu
