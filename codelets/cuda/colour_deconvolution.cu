// Colour deconvolution of all pixels, a thread a pixel.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/colour_deconvolution.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr StainValueTable kStainValues = kStainValueTable;

}  // namespace

void colour_deconvolution(const KernelContext& context, RgbView rgb, std::span<const ObjectBox>,
                          std::span<const std::uint8_t>, const StainAmountTable& stains, View<std::uint8_t> channels) {
  const StainAmountTable* const on_device = &stains;
  for_pixels(context, "colour_deconvolution", rgb.width, rgb.height, [=] __device__(int x, int y) {
    const StainValues v = stain_values(rgb.at(x, y), *on_device, kStainValues);
    channels.at(x, y) = v.haematoxylin;
    channels.at(x, y + rgb.height) = v.eosin;
    channels.at(x, y + 2 * rgb.height) = v.gray;
  });
}

}  // namespace starpath::cuda
