// Operations 0 and 1: which pixels are glass, and how many of them each fixed cell of the slide holds.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Side of the fixed cells of the tissue mask, in pixels of the working resolution.
inline constexpr int kTissueCell = 256;

STARPATH_DECLARE_KERNEL(
    /// mask(x, y) = 255 where R, G and B are all > level, else 0. Same size in and out.
    void background(const KernelContext& context, RgbView rgb, int level, View<std::uint8_t> mask))

STARPATH_DECLARE_KERNEL(
    /// Counts glass pixels per cell. The image's pixel (0, 0) is pixel (origin_x, origin_y) >= 0 of the slide.
    /// Cell (i, j) of `counts` is cell (origin_x / kTissueCell + i, origin_y / kTissueCell + j) of the slide's grid:
    /// cells do not depend on the tiling. `counts` covers every cell that the image touches and is overwritten.
    void count_background(const KernelContext& context, MaskView background, int origin_x, int origin_y,
                          View<std::uint32_t> counts))

}  // namespace starpath
