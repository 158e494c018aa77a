// Operation 7, its first step: which pixels are dark enough for a nucleus, on the slide's level and on their
// surroundings'.
#pragma once
#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The widest surroundings, in pixels to each side.
inline constexpr int kMaxLocalReach = 64;
/// The weight of the surroundings is given in this part of one.
inline constexpr int kWeightUnit = 100;

/// Whether a pixel of this difference belongs to a nucleus: `sum` and `pixels` are those of its surroundings. Exact:
/// the products stay below 2^31.
STARPATH_HD constexpr bool is_nucleus_pixel(int difference, int sum, int pixels, int level, int weight) {
  return difference > level &&
         kWeightUnit * difference * pixels > weight * sum + (kWeightUnit - weight) * level * pixels;
}

STARPATH_DECLARE_KERNEL(
    /// mask = 255 where difference > max(level, w * mean + (1 - w) * level), else 0, with w = weight / kWeightUnit in
    /// [0, 1] and the mean of `difference` over the pixels of the image at most `reach` columns and rows away, 0 <=
    /// reach <= kMaxLocalReach. The level only rises: among crowded nuclei, whose gaps lie above the slide's level.
    /// With w < 1 the middle of a nucleus that is wider than its surroundings stays in.
    void nucleus_pixels(const KernelContext& context, GrayView difference, int level, int reach, int weight,
                        View<std::uint8_t> mask))

}  // namespace starpath
