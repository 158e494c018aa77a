// The counts that every device makes of one object, in integers. One shared routine computes the features from them.
#pragma once
#include <array>
#include <cstdint>

#include "codelets/kernels/haralick.hpp"
#include "codelets/kernels/histogram_statistics.hpp"
#include "codelets/kernels/shape.hpp"

namespace starpath {

/// Where a pixel stands, seen from one object.
enum class Region : std::uint8_t { outside = 0, nucleus = 1, ring = 2 };

/// Sums over one region in one channel.
struct ChannelSums {
  Histogram values;     // of the 8-bit values
  Histogram gradient;   // of the gradient magnitudes
  Cooccurrence pairs;   // of the neighbouring levels
  std::uint32_t canny;  // edge pixels
  std::uint32_t sobel;  // pixels with a positive response
};

struct FeatureSums {
  ShapeSums shape;
  std::int64_t ring_area;
  std::array<std::array<ChannelSums, 3>, 2> channels;  // [nucleus, ring][haematoxylin, eosin, gray]
};

}  // namespace starpath
