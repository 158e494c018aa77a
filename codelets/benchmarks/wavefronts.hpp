// Kernels of the dependent loops of hdss-2013 section 4.2: each runs a tile of a matrix, from values around it.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// A step of heat spreading over a plate. Of a tile of w x h elements.
struct HeatTile {
  View<const float> before;  ///< a step ago: the tile, one column after it and one row below it; w + 1 by h + 1
  View<const float> above;   ///< of this step: the row over the tile; w by 1
  View<const float> left;    ///< of this step: the column before the tile; 1 by h
  View<float> now;           ///< the result; w by h
};

/// Similarity of two strings, every local alignment. Of a tile of w x h elements.
struct MatchTile {
  std::span<const std::uint8_t> down, across;  ///< the symbols of the tile's rows (h) and columns (w)
  View<const std::int32_t> above;              ///< scores over the tile, from one column before it; w + 1 by 1
  View<const std::int32_t> left;               ///< scores of the column before the tile; 1 by h
  View<std::int32_t> scores;                   ///< the result; w by h
  std::int32_t match = 2, mismatch = -1, gap = 1;
};

namespace detail {

/// (((right, a step ago + below, a step ago) + above) + left) / 4
STARPATH_HD constexpr float heat(float right, float below, float above, float left) {
  return (((right + below) + above) + left) * 0.25F;
}

STARPATH_HD constexpr std::int32_t match_score(std::int32_t diagonal, std::int32_t above, std::int32_t left,
                                               std::int32_t similarity, std::int32_t gap) {
  std::int32_t best = diagonal + similarity;
  best = best > above - gap ? best : above - gap;
  best = best > left - gap ? best : left - gap;
  return best > 0 ? best : 0;
}

}  // namespace detail

STARPATH_DECLARE_KERNEL(
    /// now(x, y) = heat(before(x + 1, y), before(x, y + 1), now(x, y - 1), now(x - 1, y)).
    void heat_step(const KernelContext& context, const HeatTile& tile))

STARPATH_DECLARE_KERNEL(
    /// Smith-Waterman with a linear gap cost: scores(x, y) from the diagonal, above and left; never below 0.
    void match_strings(const KernelContext& context, const MatchTile& tile))

}  // namespace starpath
