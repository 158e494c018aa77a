// Morphological reconstruction by dilation: to the limit, binary and grey, and bounded, for operation 4.
#pragma once
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// out = the limit of out <- min(dilate(out), mask) from out = min(marker, mask), with the dilation by the 3x3
    /// square (8-connected) or the 3x3 cross (4-connected). The limit is unique, so any order of propagation gives the
    /// same bits. `out` may alias `marker`, not `mask`. Source: Vincent 1993.
    void reconstruct_u8(const KernelContext& context, GrayView marker, GrayView mask, Connectivity connectivity,
                        View<std::uint8_t> out))

STARPATH_DECLARE_KERNEL(
    /// The same on 16 bits. Operation 8 stands on it.
    void reconstruct_u16(const KernelContext& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                         Connectivity connectivity, View<std::uint16_t> out))

STARPATH_DECLARE_KERNEL(
    /// The same on masks: out = the objects of `mask` that hold a pixel of `marker`. `out` may alias either. Operation
    /// 7 stands on it.
    void reconstruct_binary(const KernelContext& context, MaskView marker, MaskView mask, Connectivity connectivity,
                            View<std::uint8_t> out))

STARPATH_DECLARE_KERNEL(
    /// out = out_steps where out_0 = min(marker, mask) and out_t+1 = min(dilate3x3(out_t), mask), all pixels at once,
    /// 8-connected, u8, `steps` >= 0: the geodesic dilation of that size, or the reconstruction where its limit comes
    /// earlier. A pixel depends on the pixels at most `steps` columns and rows away, and on nothing else: an image cut
    /// out of a larger one gives the larger one's result further than `steps` from the cuts. `out` may alias `marker`,
    /// not `mask`. Source: Vincent 1993 (geodesic dilations).
    void reconstruct8_bounded(const KernelContext& context, GrayView marker, GrayView mask, int steps,
                              View<std::uint8_t> out))

STARPATH_DECLARE_KERNEL(
    /// Operation 4: difference = inverted - reconstruct8_bounded(marker = opened, mask = inverted,
    /// steps). The published method goes on to the limit; there values travel along fibres through a
    /// whole tile and further, so that nuclei depend on where the tiles are cut. Bounded, they do not, given a halo
    /// wider than the reach.
    void recon_to_nuclei(const KernelContext& context, GrayView inverted, GrayView opened, int steps,
                         View<std::uint8_t> difference))

}  // namespace starpath
