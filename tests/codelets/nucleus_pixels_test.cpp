// Operation 7, its first step: pixels against the level and against their surroundings.
#include "codelets/kernels/nucleus_pixels.hpp"

#include <gtest/gtest.h>

#include "support/images.hpp"

namespace starpath {
namespace {

using support::mask_of;
using support::Rng;
using support::same;
using Gray = support::Image<std::uint8_t>;

TEST(NucleusPixelsReference, AreAboveTheLevelWithoutSurroundings) {
  support::TestContext context;
  const Gray difference{{45, 46, 200}, {0, 255, 44}};
  Gray mask(3, 2);
  reference::nucleus_pixels(context, difference.view(), 45, 2, 0, mask.view());
  EXPECT_TRUE(same(mask_of({".##", ".#."}), mask));
}

TEST(NucleusPixelsReference, AreAboveTheirSurroundingsToo) {
  support::TestContext context;
  // The means over three columns are 50, 80, 110, 140, 150 with the image's ends cut: level 40, half the weight.
  const Gray difference{{40, 60, 140, 130, 170}};
  Gray mask(5, 1);
  reference::nucleus_pixels(context, difference.view(), 40, 1, 50, mask.view());
  EXPECT_TRUE(same(mask_of({"..###"}), mask));
}

TEST(NucleusPixelsReference, KeepTheMiddleOfWhatIsWiderThanTheSurroundings) {
  support::TestContext context;
  const Gray difference(9, 9, 0, 60);
  Gray mask(9, 9);
  reference::nucleus_pixels(context, difference.view(), 45, 2, 99, mask.view());
  EXPECT_EQ(mask.at(4, 4), 255);
  EXPECT_EQ(mask.at(0, 0), 255);
  reference::nucleus_pixels(context, difference.view(), 45, 2, 100, mask.view());
  EXPECT_EQ(mask.at(4, 4), 0);
}

TEST(NucleusPixels, CpuMatchesTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    for (const Gray& difference : {support::noise<std::uint8_t>(rng, width, height, padding, 255),
                                   support::blobs(rng, width, height, padding, 20), Gray(width, height, padding, 255)})
      for (const int reach : {0, 1, 7, static_cast<int>(rng() % kMaxLocalReach)}) {
        const int level = static_cast<int>(rng() % 90), weight = static_cast<int>(rng() % 101);
        Gray expected(width, height, padding, 7), actual(width, height, padding, 7);
        reference::nucleus_pixels(context, difference.view(), level, reach, weight, expected.view());
        cpu::nucleus_pixels(context, difference.view(), level, reach, weight, actual.view());
        ASSERT_TRUE(same(expected, actual)) << "reach " << reach;
      }
  });
}

}  // namespace
}  // namespace starpath
