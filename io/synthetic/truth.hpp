// Ground truth of a synthetic slide: which pixel belongs to which nucleus.
#pragma once
#include <cstdint>

#include "codelets/kernels/image.hpp"
#include "io/synthetic/spec.hpp"

namespace starpath::io {

/// Instance labels of the region whose top left pixel is (x, y) at level 0: the number of the nucleus at each pixel, 0
/// for none and outside the slide. A nucleus has the same number in every region that shows it, and no other nucleus of
/// the slide has it. Where nuclei overlap, the one on top in the image has the pixel. Red blood cells have no label.
/// Throws as TissueMap's constructor.
void synthetic_labels(const SyntheticSpec& spec, std::int64_t x, std::int64_t y, View<std::int32_t> out);

}  // namespace starpath::io
