// Reduction by whole factors: by hand, and the CPU kernel against the reference.
#include "codelets/kernels/area_average.hpp"

#include "support/images.hpp"

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

TEST(AreaAverage, CpuEqualsReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const int wide = 1 + static_cast<int>(rng() % 17), high = 1 + static_cast<int>(rng() % 17);
    Image<Rgb> rgb = rgb_noise(rng, width * wide, height * high, padding);
    if (rng() % 4 == 0) rgb = Image<Rgb>(width * wide, height * high, padding, Rgb{255, 255, 255});
    Image<Rgb> expected(width, height, padding + 1), actual(width, height, padding + 1);
    reference::area_average(TestContext(), rgb.view(), expected.view());
    cpu::area_average(TestContext(), rgb.view(), actual.view());
    EXPECT_TRUE(same(expected, actual));
  });
}

}  // namespace
}  // namespace starpath
