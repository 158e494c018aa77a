// Reduction by whole factors: by hand, and the CPU kernel against the reference.
#include "codelets/kernels/area_average.hpp"

#include "support/images.hpp"
#include "support/implementations.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(AreaAverage, RoundsHalfUp) {
  const Image<Rgb> rgb{{{0, 10, 255}, {1, 10, 255}, {5, 0, 0}, {5, 0, 1}},
                       {{0, 11, 255}, {1, 11, 255}, {6, 0, 0}, {7, 0, 0}}};
  Image<Rgb> out(2, 1);
  reference::area_average(TestContext(), rgb.view(), out.view());
  EXPECT_TRUE(same(Image<Rgb>{{{1, 11, 255}, {6, 0, 0}}}, out));
}

void expect_averages_of_the_reference(const Image<Rgb>& rgb, int width, int height, int padding) {
  Image<Rgb> expected(width, height, padding + 1);
  reference::area_average(TestContext(), rgb.view(), expected.view());
  for_each_implementation<cpu::area_average, opencv::area_average>([&](auto* area_average) {
    Image<Rgb> actual(width, height, padding + 1);
    area_average(TestContext(), rgb.view(), actual.view());
    EXPECT_TRUE(same(expected, actual));
  });
}

TEST(AreaAverage, CpuEqualsReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const int wide = 1 + static_cast<int>(rng() % 17), high = 1 + static_cast<int>(rng() % 17);
    Image<Rgb> rgb = rgb_noise(rng, width * wide, height * high, padding);
    if (rng() % 4 == 0) rgb = Image<Rgb>(width * wide, height * high, padding, Rgb{255, 255, 255});
    expect_averages_of_the_reference(rgb, width, height, padding);
  });
}

TEST(AreaAverage, CpuEqualsReferenceInBlocksOfFourPixels) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    expect_averages_of_the_reference(rgb_noise(rng, 2 * width, 2 * height, padding), width, height, padding);
    // Sums of four from 0 on: each way to round occurs.
    Image<Rgb> dark(2 * width, 2 * height, padding);
    for (int y = 0; y < dark.height(); ++y)
      for (int x = 0; x < dark.width(); ++x) dark.at(x, y) = {std::uint8_t(rng() % 2), 254, std::uint8_t(rng() % 3)};
    expect_averages_of_the_reference(dark, width, height, padding);
  });
}

}  // namespace
}  // namespace starpath
