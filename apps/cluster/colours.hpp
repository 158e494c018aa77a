// Colours of clusters, on slides and in pages.
#pragma once
#include <cstddef>
#include <cstdint>

namespace starpath::apps {

/// 0xRRGGBB of the cluster with this number, from 0: the ten of Tableau, which are told apart on H&E, then again.
inline std::uint32_t cluster_colour(std::size_t cluster) {
  constexpr std::uint32_t kColours[] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd,
                                        0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0x17becf};
  return kColours[cluster % (sizeof kColours / sizeof *kColours)];
}

}  // namespace starpath::apps
