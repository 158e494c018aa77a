// The CUDA kernels of NBIA against the reference.
#include <gtest/gtest.h>

#include <cstring>

#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "tests/cuda/device.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, AreaAverage) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const auto& [wide, high] : {std::pair{1, 1}, {4, 2}, {3, 5}}) {
      if (width * wide * height * high > 20'000 * device_strength()) continue;
      const Image<Rgb> rgb = rgb_noise(rng, width * wide, height * high, padding);
      Image<Rgb> expected(width, height, padding);
      const DeviceImage<Rgb> in(rgb), out(expected);
      reference::area_average(TestContext(), rgb.view(), expected.view());
      DeviceContext context;
      cuda::area_average(context, in.view(), out.view());
      EXPECT_TRUE(same(expected, out.get())) << "factors " << wide << " and " << high;
    }
  });
}

TEST(Cuda, NbiaStatistics) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const unsigned darkest : {0U, 190U}) {
      Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
      const auto raised = [&](std::uint8_t v) { return static_cast<std::uint8_t>(darkest + v % (256 - darkest)); };
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          Rgb& p = rgb.at(x, y);
          p = {raised(p.r), raised(p.g), raised(p.b)};
          if (x % 3 == 0) p.g = p.b = p.r;
        }
      NbiaCounts expected;
      reference::nbia_statistics(TestContext(), rgb.view(), &expected);
      DeviceContext context;
      const DeviceImage<Rgb> in(rgb);
      const DeviceArray<NbiaCounts> counts({NbiaCounts{{}, {}, 9, 9}});
      cuda::nbia_statistics(context, in.view(), counts.data());
      const NbiaCounts actual = counts.get()[0];
      EXPECT_EQ(std::memcmp(&expected, &actual, sizeof expected), 0);
      EXPECT_EQ(expected.glass, actual.glass);
    }
  });
}

}  // namespace
}  // namespace starpath
