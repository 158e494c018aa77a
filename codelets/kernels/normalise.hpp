// Colour normalisation: a picture as it would look with the stains, their strength and the glass of a reference.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

// Source: Macenko et al., "A method for normalizing histology slides for quantitative analysis" (2009): optical
// densities as amounts of the slide's stains, each amount scaled, and densities again with the stains of a reference.
// All of it is one linear map of densities, so that a channel's new density is a sum of three table entries. Integers
// only: the same bits on every device.

/// table[out][in][v]: the number that the value v of channel `in` adds to the new density (deconvolution.hpp) of
/// channel `out`, in units of 2^-16, below 2^27 either way.
using ColourMap = std::array<std::array<std::array<std::int32_t, 256>, 3>, 3>;

/// kChannelValueTable[i] is the value of the density i / 32 - kLeastDensity, the inverse of kDensityTable.
inline constexpr int kLeastDensity = 1;
using ChannelValueTable = std::array<std::uint8_t, (256 + kLeastDensity) * 32 + 1>;
inline constexpr ChannelValueTable kChannelValueTable = [] {
  ChannelValueTable table{};
  const double log2_255 = portable_log2(255.0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double density = static_cast<double>(i) / 32 - kLeastDensity;
    table[i] = static_cast<std::uint8_t>(std::clamp(portable_exp2(log2_255 * (255 - density) / 255) - 0.5, 0.0, 255.0));
  }
  return table;
}();

/// Value of a density given in units of 2^-16, from kChannelValueTable or a copy of it on a GPU.
STARPATH_HD constexpr std::uint8_t channel_value(std::int32_t density,
                                                 const ChannelValueTable& table = kChannelValueTable) {
  constexpr int last = static_cast<int>(std::tuple_size_v<ChannelValueTable>) - 1;
  const int at = ((density + 1024) >> 11) + 32 * kLeastDensity;
  return table[static_cast<std::size_t>(at < 0 ? 0 : at > last ? last : at)];
}

/// The new colour of a pixel.
STARPATH_HD constexpr Rgb mapped_colour(Rgb p, const ColourMap& map,
                                        const ChannelValueTable& values = kChannelValueTable) {
  const auto channel = [&](const std::array<std::array<std::int32_t, 256>, 3>& from) {
    return channel_value(from[0][p.r] + from[1][p.g] + from[2][p.b], values);
  };
  return {channel(map[0]), channel(map[1]), channel(map[2])};
}

STARPATH_DECLARE_KERNEL(
    /// out(x, y) = mapped_colour(rgb(x, y), map). Same size in and out.
    void normalise(const KernelContext& context, RgbView rgb, const ColourMap& map, View<Rgb> out))

}  // namespace starpath
