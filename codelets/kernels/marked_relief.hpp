// The relief that the watershed floods where the learned detector (detector.hpp) finds the nuclei.
#pragma once
#include <cstdint>

#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The depth of markers, which no other pixel has.
inline constexpr int kMarkerDepth = 65535;

/// The depth of a pixel that is no marker, before the reconstruction. At least 1.
STARPATH_HD constexpr int scored_depth(std::uint8_t nucleus, std::uint8_t core) { return 1 + nucleus + core; }

STARPATH_DECLARE_KERNEL(
    /// markers = area_filter(core >= core_level, 8-connected, core_min_area or more pixels).
    /// objects = the 8-connected objects that hold a marker, of fill_small_holes4(nucleus >= nucleus_level or marker,
    /// hole_max_area).
    /// depth = reconstruct_u16(marker = kMarkerDepth in the markers and else 0, mask = kMarkerDepth in the markers and
    /// else scored_depth() in the objects, 8-connected); 0 outside of the objects. Its regional maxima in the objects
    /// are the markers, so that the watershed finds a nucleus for each of them.
    void marked_relief(const KernelContext& context, GrayView nucleus, GrayView core, int nucleus_level, int core_level,
                       int core_min_area, int hole_max_area, View<std::uint8_t> objects, View<std::uint16_t> depth))

}  // namespace starpath
