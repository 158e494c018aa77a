// Operation 8: the relief that the watershed floods.
#pragma once
#include <cmath>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// Depths are distances in 1/256 pixel.
inline constexpr int kDepthUnit = 256;
inline constexpr int kDepthMax = 65535;

/// min(kDepthMax, floor(kDepthUnit sqrt(squared))), for CPU kernels and GPUs. Exact: a double holds 65536 times any
/// squared distance, and its root is far enough from the next integer to round down right.
STARPATH_HD inline std::int32_t depth_of_squared(std::int32_t squared) {
  const auto depth = static_cast<std::int32_t>(std::sqrt(static_cast<double>(squared) * (kDepthUnit * kDepthUnit)));
  return depth < kDepthMax ? depth : kDepthMax;
}

STARPATH_DECLARE_KERNEL(
    /// squared = squared Euclidean distance, in pixels, from each pixel to the nearest pixel with mask 0 in the image
    /// (0 where the mask is 0); the maximum of int32 everywhere when the mask has no 0. Exact.
    void squared_distance(const KernelContext& context, MaskView mask, View<std::int32_t> squared))

STARPATH_DECLARE_KERNEL(
    /// objects = the 8-connected objects of `selected` with area >= min_area, dilated `grow` times by the 3x3 cross.
    /// depth = reconstruct_u16(marker = max(S - h, 0), mask = S, 8-connected): the negative of the h-minima transform
    /// of the negated distance. S is min(kDepthMax, floor(256 sqrt(squared_distance))), and `smooth` times, in the
    /// objects, its mean over those of the 3x3 pixels around that are in the image, rounded down: that takes out the
    /// ridges that single pixels of an outline cause. 0 outside the objects. Basins shallower than h are merged; 0 <=
    /// h.
    void pre_watershed(const KernelContext& context, MaskView selected, int min_area, int grow, int smooth, int h,
                       View<std::uint8_t> objects, View<std::uint16_t> depth))

}  // namespace starpath
