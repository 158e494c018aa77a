// The counts that every device makes of one object, in integers. One shared routine computes the features from them.
#pragma once
#include <cstdint>

#include "codelets/kernels/shape.hpp"

namespace starpath {

/// Where a pixel stands, seen from one object.
enum class Region : std::uint8_t { outside = 0, nucleus = 1, ring = 2 };
inline constexpr std::size_t kRegionCount = 2;  // that features are measured in

struct OutlineSums {
  ShapeSums shape;
  std::int64_t ring_area;
};

/// Over one region in one channel.
struct EdgeSums {
  std::uint32_t canny;  // edge pixels
  std::uint32_t sobel;  // pixels with a positive response
};

}  // namespace starpath
