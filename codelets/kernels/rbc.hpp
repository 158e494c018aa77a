// Operation 2: pixels that are no nucleus by their colour: red blood cells, and pixels with too little haematoxylin.
#pragma once
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Ratios of red to green are in units of 1 / kRatioUnit.
inline constexpr int kRatioUnit = 16;

/// Whether R / G is above `ratio`, exactly; R > 0 is above every ratio of G = 0.
STARPATH_HD inline bool redder_than(Rgb p, int ratio) { return kRatioUnit * p.r > ratio * p.g; }

/// Whether a pixel holds at most this density of haematoxylin by the default stains; 0: none is too little.
STARPATH_HD inline bool is_unstained(Rgb p, int haematoxylin, const StainAmountTable& amounts = kStainAmountTable) {
  return haematoxylin > 0 && haematoxylin_amount(p, amounts) <= haematoxylin * 65536;
}

STARPATH_DECLARE_KERNEL(
    /// mask = 255 in the 8-connected objects of redder_than(low) that hold a pixel of redder_than(high), where also R >
    /// B; else 0. 0 < low <= high. (The papers' R / (G + eps) > T compares the same way for every 8-bit value, without
    /// a division.) Object pixels with R <= B are cleared after the objects were chosen. Then 255 where
    /// is_unstained(haematoxylin), 0 <= haematoxylin < 2^11.
    void rbc(const KernelContext& context, RgbView rgb, int high, int low, int haematoxylin, View<std::uint8_t> mask))

}  // namespace starpath
