// Counts of a sample of rows.
#include "codelets/kernels/pixel_counts.hpp"

#include <algorithm>

namespace starpath::cpu {

PixelCounts count_pixels(RgbView rgb) {
  PixelCounts counts;
  for (int y = 0; y < rgb.height; y += kCountedRows) {
    const Rgb* const row = rgb.row(y);
    std::int32_t tissue = 0, dark = 0, runs = 0, before = 0;
    for (int x = 0; x < rgb.width; ++x) {
      const std::int32_t is_dark = row[x].r < kCountedDark ? 1 : 0;
      tissue += std::min({row[x].r, row[x].g, row[x].b}) <= kCountedGlass ? 1 : 0;
      dark += is_dark;
      runs += is_dark & ~before;
      before = is_dark;
    }
    counts.tissue += kCountedRows * tissue;
    counts.dark += kCountedRows * dark;
    counts.runs += kCountedRows * runs;
  }
  return counts;
}

}  // namespace starpath::cpu
