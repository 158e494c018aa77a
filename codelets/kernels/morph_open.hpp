// Operation 3: the inverted red channel and its opening, which removes what is smaller than a large nucleus.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The structuring element: the octagon |dx| <= 9, |dy| <= 9, |dx| + |dy| <= 14.
inline constexpr int kOctagonReach = 9;
inline constexpr int kOctagonCorner = 14;

STARPATH_DECLARE_KERNEL(
    /// inverted = 255 - R; opened = dilation(erosion(inverted)) by the octagon. Pixels outside the image are neutral:
    /// they neither erode nor dilate.
    void morph_open(const KernelContext& context, RgbView rgb, View<std::uint8_t> inverted, View<std::uint8_t> opened))

}  // namespace starpath
