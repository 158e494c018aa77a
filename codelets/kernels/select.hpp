// Operation 7: the objects that a seed vouches for.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// selected = open_cross(fill_small_holes4(objects and not rbc, hole_max_area)), where `objects` are the
    /// 8-connected objects of nucleus_pixels(difference, nucleus_level (G2), local_reach, local_weight) that hold a
    /// pixel of `seeds`, and open_cross is the opening by the 3x3 cross with neutral borders.
    void select(const KernelContext& context, GrayView difference, MaskView seeds, MaskView rbc, int nucleus_level,
                int local_reach, int local_weight, int hole_max_area, View<std::uint8_t> selected))

}  // namespace starpath
