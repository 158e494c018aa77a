// Colour normalisation, a thread a pixel.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/normalise.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr ChannelValueTable kValues = kChannelValueTable;

}  // namespace

void normalise(const KernelContext& context, RgbView rgb, const ColourMap& map, View<Rgb> out) {
  const ColourMap* const on_device = &map;
  for_pixels(context, "normalise", rgb.width, rgb.height,
             [=] __device__(int x, int y) { out.at(x, y) = mapped_colour(rgb.at(x, y), *on_device, kValues); });
}

}  // namespace starpath::cuda
