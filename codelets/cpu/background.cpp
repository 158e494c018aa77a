// Operations 0 and 1, row by row so that the compiler can use vectors.
#include "codelets/kernels/background.hpp"

#include <algorithm>

namespace starpath::cpu {
namespace {

/// Pixels of 255 in the mask pixels [begin, end).
std::uint32_t count_set(const std::uint8_t* begin, const std::uint8_t* end) {
  std::uint32_t count = 0;
  for (; begin != end; ++begin) count += *begin >> 7;
  return count;
}

}  // namespace

void background(const KernelContext&, RgbView rgb, int level, View<std::uint8_t> mask) {
  for (int y = 0; y < rgb.height; ++y) {
    const Rgb* from = rgb.row(y);
    std::uint8_t* to = mask.row(y);
    for (int x = 0; x < rgb.width; ++x) to[x] = std::min({from[x].r, from[x].g, from[x].b}) > level ? 255 : 0;
  }
}

void count_background(const KernelContext&, MaskView background, int origin_x, int origin_y,
                      View<std::uint32_t> counts) {
  for (int j = 0; j < counts.height; ++j) std::fill_n(counts.row(j), counts.width, 0U);
  for (int y = 0; y < background.height; ++y) {
    std::uint32_t* cells = counts.row((origin_y + y) / kTissueCell - origin_y / kTissueCell);
    const std::uint8_t* row = background.row(y);
    int x = 0;
    for (int next = kTissueCell - origin_x % kTissueCell; x < background.width; next += kTissueCell) {
      const int end = std::min(next, background.width);
      *cells++ += count_set(row + x, row + end);
      x = end;
    }
  }
}

}  // namespace starpath::cpu
