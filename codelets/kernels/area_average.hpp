// Reduction of an image by whole factors: how the coarse levels of NBIA are made.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// out(i, j) = mean of its block of `rgb` in each channel, rounded half up. The width and the height of `rgb` are
    /// multiples of those of `out`, and a block has at most 2^23 pixels.
    void area_average(const KernelContext& context, RgbView rgb, View<Rgb> out))

}  // namespace starpath
