// NBIA's two expensive filters in one: colour conversion and statistics of an image.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/nbia_texture.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// Overwrites `counts` with NBIA's counts of the image, which has 1 to kNbiaMaxPixels pixels. Integers only;
    /// nbia_features() turns them into numbers. Source: anthill-2010, section 2.
    void nbia_statistics(const KernelContext& context, RgbView rgb, NbiaCounts* counts))

}  // namespace starpath
