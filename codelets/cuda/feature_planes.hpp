// The values of every pixel that the features need, independent of the object that the pixel belongs to.
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/deconvolution.hpp"

namespace starpath::cuda {

/// By channel: haematoxylin, eosin, gray.
struct FeaturePixel {
  std::uint8_t value[3];
  std::uint8_t gradient[3];
  std::uint8_t canny;  // CannyClass in bits 2 c and 2 c + 1
  std::uint8_t sobel;  // bit c: a positive response
};
static_assert(sizeof(FeaturePixel) == 8);

/// One FeaturePixel a pixel, without padding, in scratch memory. `stains` lies in the device's memory.
const FeaturePixel* feature_planes(const KernelContext& context, RgbView rgb, const StainAmountTable* stains);

}  // namespace starpath::cuda
