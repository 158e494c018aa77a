// Morphological reconstruction by dilation, the fixed point on which operations 2, 4, 5, 7 and 8 stand.
#pragma once
#include "codelets/kernels/context.hpp"
#include "codelets/kernels/image.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// out = the limit of out <- min(dilate3x3(out), mask) from out = min(marker, mask), 8-connected, u8. The limit is
    /// unique, so any order of propagation gives the same bits. `out` may alias `marker`, not `mask`.
    /// Source: Vincent 1993; DESIGN 5.1.
    void reconstruct8(const Context& context, GrayView marker, GrayView mask, View<std::uint8_t> out))

STARPATH_DECLARE_KERNEL(
    /// The same on 16 bits.
    void reconstruct8_u16(const Context& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                          View<std::uint16_t> out))

STARPATH_DECLARE_KERNEL(
    /// Operation 4: difference = inverted - reconstruct8(marker = opened, mask = inverted).
    void recon_to_nuclei(const Context& context, GrayView inverted, GrayView opened, View<std::uint8_t> difference))

}  // namespace starpath
