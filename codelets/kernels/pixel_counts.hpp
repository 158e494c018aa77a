// What is seen of a tile at a glance, so that the times of its operations can be estimated.
#pragma once
#include <cstdint>

#include "codelets/kernels/image.hpp"

namespace starpath {

struct PixelCounts {
  std::int64_t tissue = 0;  // pixels that are not glass
  std::int64_t dark = 0;    // pixels as dark as nuclei
  std::int64_t runs = 0;    // stretches of dark pixels in rows
  friend bool operator==(const PixelCounts&, const PixelCounts&) = default;
};

// Fixed levels, so that counts of different slides and runs compare. They need not be those of a segmentation.
inline constexpr int kCountedGlass = 220, kCountedDark = 150;
/// Of so many rows one is counted, and stands for them all.
inline constexpr int kCountedRows = 4;

namespace cpu {

/// A pixel is glass when R, G and B are all > kCountedGlass, and dark when R < kCountedDark. On the host only, where
/// the pixels were just read: a thousandth of the time that they take later.
PixelCounts count_pixels(RgbView rgb);

}  // namespace cpu
}  // namespace starpath
