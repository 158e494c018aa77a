// Operation 5: filling holes.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// filled = mask plus its holes: the 4-connected components of 0 that do not touch the image border. `filled` may
    /// alias `mask`.
    void fill_holes4(const KernelContext& context, MaskView mask, View<std::uint8_t> filled))

STARPATH_DECLARE_KERNEL(
    /// The same for holes of fewer than `max_area` pixels: a pale middle of a nucleus is one, the tissue that a ring of
    /// nuclei encloses is none. `filled` may alias `mask`.
    void fill_small_holes4(const KernelContext& context, MaskView mask, int max_area, View<std::uint8_t> filled))

STARPATH_DECLARE_KERNEL(
    /// Operation 5: filled = fill_holes4(difference > seed_level): candidates for seeds are brighter than that (G1).
    void fill_holes(const KernelContext& context, GrayView difference, int seed_level, View<std::uint8_t> filled))

}  // namespace starpath
