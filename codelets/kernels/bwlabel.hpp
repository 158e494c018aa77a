// Operation 10: the final labels.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// labels = 8-connected labels (raster order of first pixels, from 1) of fill_holes4(the 4-connected objects of
    /// `nuclei` with area in [min_area, max_area)); *count = how many.
    void bwlabel(const KernelContext& context, MaskView nuclei, int min_area, int max_area, View<std::int32_t> labels,
                 std::int32_t* count))

}  // namespace starpath
