// The CUDA kernel of the colour normalisation against the reference.
#include "codelets/kernels/normalise.hpp"

#include <gtest/gtest.h>

#include "support/colour_maps.hpp"
#include "support/cuda/device.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, Normalise) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    const ColourMap map = random_colours(rng);
    Image<Rgb> expected(width, height, padding);
    reference::normalise(TestContext(), rgb.view(), map, expected.view());
    const DeviceArray<ColourMap> on_device({map});
    const DeviceImage<Rgb> in(rgb), out(Image<Rgb>(width, height, padding));
    DeviceContext context;
    cuda::normalise(context, in.view(), *on_device.data(), out.view());
    EXPECT_TRUE(same(expected, out.get()));
  });
}

}  // namespace
}  // namespace starpath
