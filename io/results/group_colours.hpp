// Colours of clusters, classes and groups of patients, on slides and in pages.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace starpath::io {

/// 0xRRGGBB: the ten of Tableau, which are told apart on H&E.
inline constexpr std::array<std::uint32_t, 10> kGroupColours = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd,
                                                                0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0x17becf};

/// The colour of the cluster, the class or the group with this number from 0. After the last colour the first one
/// follows.
inline std::uint32_t group_colour(std::size_t number) { return kGroupColours[number % kGroupColours.size()]; }

}  // namespace starpath::io
