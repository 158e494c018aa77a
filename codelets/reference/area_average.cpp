// Mean of each block.
#include "codelets/kernels/area_average.hpp"

namespace starpath::reference {

void area_average(const KernelContext&, RgbView rgb, View<Rgb> out) {
  const int wide = rgb.width / out.width, high = rgb.height / out.height;
  const auto pixels = static_cast<std::uint32_t>(wide * high);
  for (int j = 0; j < out.height; ++j)
    for (int i = 0; i < out.width; ++i) {
      std::uint32_t r = pixels / 2, g = r, b = r;
      for (int y = j * high; y < (j + 1) * high; ++y)
        for (int x = i * wide; x < (i + 1) * wide; ++x) {
          const Rgb p = rgb.at(x, y);
          r += p.r, g += p.g, b += p.b;
        }
      out.at(i, j) = {static_cast<std::uint8_t>(r / pixels), static_cast<std::uint8_t>(g / pixels),
                      static_cast<std::uint8_t>(b / pixels)};
    }
}

}  // namespace starpath::reference
