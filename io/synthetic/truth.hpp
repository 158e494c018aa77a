// Ground truth of a synthetic slide: which pixel belongs to which nucleus.
#pragma once
#include <cstdint>

#include "codelets/kernels/image.hpp"
#include "io/synthetic/spec.hpp"

namespace starpath::io {

/// Instance labels of the region whose top left pixel is (x, y) at level 0: 0 for no nucleus, else the nucleus's
/// number, the same in every region that shows it and different from every other nucleus of the slide. Where nuclei
/// overlap, the later drawn (the one on top in the image) has the pixel. 0 outside the slide. Red blood cells have no
/// label. Throws as TissueMap's constructor.
void synthetic_labels(const SyntheticSpec& spec, std::int64_t x, std::int64_t y, View<std::int32_t> out);

}  // namespace starpath::io
