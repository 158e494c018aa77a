// The CUDA kernels of the learned detector against the reference: in the SIMT host runtime, or on a GPU (docs/cuda.md).
#include "codelets/kernels/detector.hpp"

#include <gtest/gtest.h>

#include "codelets/kernels/marked_relief.hpp"
#include "support/cuda/device.hpp"
#include "support/detector_network.hpp"
#include "tests/cuda/masks.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, Detect) {
  constexpr DetectorChannels kinds[] = {{{8, 8, 16, 0}}, {{16, 24, 48, 64}}, {{8, 24, 16, 40}}};
  std::size_t kind = 0;
  for_device_sizes([&](Rng& rng, int width, int height, int padding) {
    if (width * height > 1'000'000) return;  // which takes the reference minutes
    const TestNetwork network = random_network(rng, kinds[kind++ % std::size(kinds)]);
    const auto& of = network.channels.of;
    const Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    const int x = static_cast<int>(rng() % 40), y = static_cast<int>(rng() % 40);
    Gray nucleus(width, height, padding), core(width, height, padding);
    const DeviceImage<Rgb> in(rgb);
    const DeviceImage<std::uint8_t> to_nucleus(nucleus), to_core(core);
    const DeviceArray<std::int32_t> words(network.numbers());
    reference::detect(TestContext(), rgb.view(), network.words(), x, y, of[0], of[1], of[2], of[3], nucleus.view(),
                      core.view());
    DeviceContext context;
    cuda::detect(context, in.view(), words.span(), x, y, of[0], of[1], of[2], of[3], to_nucleus.view(), to_core.view());
    EXPECT_TRUE(same(nucleus, to_nucleus.get()));
    EXPECT_TRUE(same(core, to_core.get()));
  });
}

TEST(Cuda, MarkedRelief) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& nucleus) {
      const Gray core = rng() % 2 == 0 ? blobs(rng, width, height, padding, 7)
                                       : noise<std::uint8_t>(rng, width, height, padding, 255);
      const int nucleus_level = static_cast<int>(rng() % 256), core_level = 150 + static_cast<int>(rng() % 100);
      const int least = static_cast<int>(rng() % 5), hole = static_cast<int>(rng() % 20);
      Gray objects(width, height, padding);
      Deep depth(width, height, padding);
      const DeviceImage<std::uint8_t> in_nucleus(nucleus), in_core(core), to_objects(objects);
      const DeviceImage<std::uint16_t> to_depth(depth);
      reference::marked_relief(TestContext(), nucleus.view(), core.view(), nucleus_level, core_level, least, hole,
                               objects.view(), depth.view());
      DeviceContext context;
      cuda::marked_relief(context, in_nucleus.view(), in_core.view(), nucleus_level, core_level, least, hole,
                          to_objects.view(), to_depth.view());
      EXPECT_TRUE(same(objects, to_objects.get()));
      EXPECT_TRUE(same(depth, to_depth.get()));
    });
  });
}

}  // namespace
}  // namespace starpath
