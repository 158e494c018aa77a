// Each pixel against its surroundings, summed anew.
#include "codelets/kernels/nucleus_pixels.hpp"

#include <algorithm>

namespace starpath::reference {

void nucleus_pixels(const KernelContext&, GrayView difference, int level, int reach, int weight,
                    View<std::uint8_t> mask) {
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) {
      int sum = 0, pixels = 0;
      for (int v = std::max(0, y - reach); v <= std::min(mask.height - 1, y + reach); ++v)
        for (int u = std::max(0, x - reach); u <= std::min(mask.width - 1, x + reach); ++u) {
          sum += difference.at(u, v);
          ++pixels;
        }
      mask.at(x, y) = is_nucleus_pixel(difference.at(x, y), sum, pixels, level, weight) ? 255 : 0;
    }
}

}  // namespace starpath::reference
