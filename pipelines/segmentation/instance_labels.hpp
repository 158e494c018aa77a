// From numbers of instances to nuclei of a tile. Pure.
#pragma once
#include <cstdint>

#include "codelets/kernels/image.hpp"

namespace starpath {

/// Which instances are kept, in pixels of the working grid.
struct InstanceLimits {
  int longest;             // neither side of the bounding box is longer
  int min_area, max_area;  // an interval [min, max) of areas without holes
};

/// An instance is an 8-connected object of pixels of one number; 0 is no instance. Instances outside of `limits` become
/// background. Then each takes the pixels that it encloses (fill_holes4), with the instances in them; where that leaves
/// only a part of another instance, the objects are found again. labels = 0, or 1..n: instances in raster order of
/// their first pixels. Returns n. `numbers` and `labels` have one size. The result near an instance depends on the
/// instances near it alone.
std::int32_t label_instances(View<const std::int32_t> numbers, const InstanceLimits& limits, View<std::int32_t> labels);

}  // namespace starpath
