// Operation 9: the watershed of touching nuclei, defined by a total order so that it has one answer.
#pragma once
#include "codelets/kernels/context.hpp"
#include "codelets/kernels/image.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// nuclei = objects minus the separations between basins.
    ///
    /// The graph: pixels of `objects`, 8-connected edges. The total order of pixels: rank(p) < rank(q) when depth(p) >
    /// depth(q), or the depths are equal and p comes first in raster order. Markers: the regional maxima of depth
    /// within the objects (8-connected plateaus without a deeper neighbour in the objects), numbered in raster order of
    /// their first pixels. Basins: the minimum spanning forest rooted in the markers (the pixels of one marker are
    /// joined from the start), where an edge weighs (the higher rank of its ends, then the lower rank): all weights
    /// differ, so the forest is unique, whichever algorithm finds it. Separations: a pixel becomes 0 when one of its 8
    /// neighbours lies in a basin with a smaller number, whether or not that neighbour becomes 0 too. They are one
    /// pixel thick and leave no two basins 8-connected.
    ///
    /// What follows from this: an object's result depends on the object alone. Its basin with the smallest number stays
    /// whole. On any relief a basin with a larger number may vanish, but not on one of pre_watershed: there a peak's 4
    /// neighbours lie in its marker, and the pixels at its corners find no pixel before them outside that marker, so
    /// that every basin keeps its peak.
    void watershed(const Context& context, MaskView objects, View<const std::uint16_t> depth,
                   View<std::uint8_t> nuclei))

}  // namespace starpath
