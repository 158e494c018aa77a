// Oracle of the colour deconvolution, pixel by pixel.
#include "codelets/kernels/colour_deconvolution.hpp"

namespace starpath::reference {

void colour_deconvolution(const KernelContext&, RgbView rgb, std::span<const ObjectBox>, std::span<const std::uint8_t>,
                          const StainAmountTable& stains, View<std::uint8_t> channels) {
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) {
      const StainValues v = stain_values(rgb.at(x, y), stains);
      channels.at(x, y) = v.haematoxylin;
      channels.at(x, y + rgb.height) = v.eosin;
      channels.at(x, y + 2 * rgb.height) = v.gray;
    }
}

}  // namespace starpath::reference
