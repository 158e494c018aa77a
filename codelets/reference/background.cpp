// Operations 0 and 1 in plain loops.
#include "codelets/kernels/background.hpp"

namespace starpath::reference {

void background(const KernelContext&, RgbView rgb, int level, View<std::uint8_t> mask) {
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) {
      const Rgb p = rgb.at(x, y);
      mask.at(x, y) = p.r > level && p.g > level && p.b > level ? 255 : 0;
    }
}

void count_background(const KernelContext&, MaskView background, int origin_x, int origin_y,
                      View<std::uint32_t> counts) {
  for (int j = 0; j < counts.height; ++j)
    for (int i = 0; i < counts.width; ++i) counts.at(i, j) = 0;
  for (int y = 0; y < background.height; ++y)
    for (int x = 0; x < background.width; ++x)
      if (background.at(x, y) != 0)
        ++counts.at((origin_x + x) / kTissueCell - origin_x / kTissueCell,
                    (origin_y + y) / kTissueCell - origin_y / kTissueCell);
}

}  // namespace starpath::reference
