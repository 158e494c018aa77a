// Operation 10: the final labels.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Nuclei have an area in [kNucleusMinArea, kNucleusMaxArea) before their holes are filled.
inline constexpr std::int32_t kNucleusMinArea = 21;
inline constexpr std::int32_t kNucleusMaxArea = 1000;

STARPATH_DECLARE_KERNEL(
    /// labels = 8-connected labels (raster order of first pixels, from 1) of fill_holes4(the 4-connected objects of
    /// `nuclei` with area in [21, 1000)); *count = how many.
    void bwlabel(const KernelContext& context, MaskView nuclei, View<std::int32_t> labels, std::int32_t* count))

}  // namespace starpath
