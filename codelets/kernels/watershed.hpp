// Operation 9: the watershed of touching nuclei, defined by a total order so that it has one answer.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// nuclei = objects minus the separations between basins.
    ///
    /// The graph: pixels of `objects`, 8-connected edges.
    /// The total order of pixels: order(p) < order(q) when depth(p) > depth(q), or the depths are equal and p comes
    /// first in raster order.
    /// Markers: the regional maxima of depth within the objects, which are 8-connected plateaus without a deeper
    /// neighbour in the objects. They are numbered in raster order of their first pixels.
    /// Basins: the minimum spanning forest rooted in the markers. The pixels of one marker are joined from the start.
    /// An edge weighs (order of its later end, order of its earlier end). All weights differ, so the forest is unique:
    /// every algorithm finds the same.
    /// Separations: a pixel becomes 0 when one of its 8 neighbours lies in a basin with a smaller number, whether or
    /// not that neighbour becomes 0 too. They are one pixel thick and leave no two basins 8-connected.
    ///
    /// It follows that an object's result depends on the object alone, and that its basin with the smallest number
    /// stays whole. On any relief a basin with a larger number may vanish. On a relief of pre_watershed with an h of
    /// one pixel or more and no smoothing none does. There the 4 neighbours of a peak lie in its marker, and the pixels
    /// at its corners have no earlier neighbour outside that marker.
    void watershed(const KernelContext& context, MaskView objects, View<const std::uint16_t> depth,
                   View<std::uint8_t> nuclei))

}  // namespace starpath
