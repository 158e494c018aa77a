// What the edge filters say of every pixel, independent of the object that the pixel belongs to.
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/colour_deconvolution.hpp"

namespace starpath::cuda {

struct EdgePixel {
  std::uint8_t canny;  // CannyClass of channel c in bits 2 c and 2 c + 1
  std::uint8_t sobel;  // bit c: a positive response
};

/// One EdgePixel a pixel, without padding, in scratch memory. `channels`: haematoxylin, eosin, gray.
View<const EdgePixel> edge_planes(const KernelContext& context, GrayView channels);

}  // namespace starpath::cuda
