// Operation 2: red blood cells.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Ratios T1 and T2 of red to green: a cell is what is connected above T2 and reaches T1 somewhere.
inline constexpr int kRbcRatioHigh = 5;
inline constexpr int kRbcRatioLow = 4;

STARPATH_DECLARE_KERNEL(
    /// mask = 255 in the 8-connected objects of R > 4 G that hold a pixel of R > 5 G, where also R > B; else 0.
    /// (The papers' R / (G + eps) > T compares the same way for every 8-bit value, without a division.) Object pixels
    /// with R <= B are cleared after the objects were chosen.
    void rbc(const KernelContext& context, RgbView rgb, View<std::uint8_t> mask))

}  // namespace starpath
