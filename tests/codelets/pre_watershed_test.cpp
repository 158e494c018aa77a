// Operation 8: exact distances and the relief.
#include "codelets/kernels/pre_watershed.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using support::Image;
using support::mask_of;
using support::Rng;
using support::same;
using Mask = Image<std::uint8_t>;
using Depth = Image<std::uint16_t>;

TEST(SquaredDistanceReference, IsTheDistanceToTheNearestZero) {
  support::TestContext context;
  const auto mask = mask_of({"#####", "#####", "##.##", "#####", "#####"});
  Image<std::int32_t> squared(5, 5);
  reference::squared_distance(context, mask.view(), squared.view());
  EXPECT_TRUE(same(Image<std::int32_t>({{8, 5, 4, 5, 8},  //
                                        {5, 2, 1, 2, 5},
                                        {4, 1, 0, 1, 4},
                                        {5, 2, 1, 2, 5},
                                        {8, 5, 4, 5, 8}}),
                   squared));
}

TEST(SquaredDistanceReference, IsTheMaximumWithoutAnyZero) {
  support::TestContext context;
  const auto mask = mask_of({"##", "##"});
  Image<std::int32_t> squared(2, 2);
  reference::squared_distance(context, mask.view(), squared.view());
  constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
  EXPECT_TRUE(same(Image<std::int32_t>({{far, far}, {far, far}}), squared));
}

TEST(SquaredDistance, CpuMatchesTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Mask& mask) {
      Image<std::int32_t> expected(width, height, padding), actual(width, height, padding);
      reference::squared_distance(context, mask.view(), expected.view());
      cpu::squared_distance(context, mask.view(), actual.view());
      ASSERT_TRUE(same(expected, actual));
    });
  });
}

/// Rows of 255 in a mask, to have objects over the least area by hand.
Mask rectangle(int width, int height, int x0, int y0, int x1, int y1, int padding = 5) {
  Mask mask(width, height, padding);
  for (int y = y0; y < y1; ++y) std::fill(mask.view().row(y) + x0, mask.view().row(y) + x1, std::uint8_t{255});
  return mask;
}

TEST(PreWatershedReference, DropsSmallObjectsAndDilatesTheOthers) {
  support::TestContext context;
  Mask objects(40, 5);
  Depth depth(40, 5);
  reference::pre_watershed(context, rectangle(40, 5, 2, 2, 31, 3).view(), kPaperPixels.clump_min_area,
                           kPaperPixels.grow_steps, kPaperPixels.smooth_steps, kPaperPixels.split_depth, objects.view(),
                           depth.view());
  EXPECT_TRUE(same(Mask(40, 5), objects));
  EXPECT_TRUE(same(Depth(40, 5), depth));

  reference::pre_watershed(context, rectangle(40, 5, 2, 2, 32, 3).view(), kPaperPixels.clump_min_area,
                           kPaperPixels.grow_steps, kPaperPixels.smooth_steps, kPaperPixels.split_depth, objects.view(),
                           depth.view());
  Mask expected = rectangle(40, 5, 2, 1, 32, 4);
  expected.at(1, 2) = expected.at(32, 2) = 255;
  EXPECT_TRUE(same(expected, objects));
  // The ridge is 2 deep (512), sinks by one pixel; the rest is where it was: 1 pixel, and sqrt 2 at the ends.
  EXPECT_EQ(depth.at(16, 2), 256);
  EXPECT_EQ(depth.at(16, 1), 256);
  EXPECT_EQ(depth.at(1, 2), 256);
  EXPECT_EQ(depth.at(16, 0), 0);
}

TEST(PreWatershedReference, IsAsDeepAsCanBeWithoutAnyZero) {
  support::TestContext context;
  Mask objects(6, 5);
  Depth depth(6, 5);
  reference::pre_watershed(context, rectangle(6, 5, 0, 0, 6, 5).view(), kPaperPixels.clump_min_area,
                           kPaperPixels.grow_steps, kPaperPixels.smooth_steps, kPaperPixels.split_depth, objects.view(),
                           depth.view());
  EXPECT_TRUE(same(rectangle(6, 5, 0, 0, 6, 5), objects));
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 6; ++x) EXPECT_EQ(depth.at(x, y), 65535 - 256);
}

TEST(PreWatershedReference, AveragesDistancesInTheObjectsOverTheImage) {
  support::TestContext context;
  Mask objects(6, 5);
  Depth depth(6, 5);
  const Mask corner = rectangle(6, 5, 0, 0, 3, 3);
  reference::pre_watershed(context, corner.view(), 1, 0, 1, 0, objects.view(), depth.view());
  EXPECT_TRUE(same(corner, objects));
  // Distances are 3 2 1 / 2 2 1 / 1 1 1, in 1/256.
  EXPECT_EQ(depth.at(0, 0), (3 + 2 + 2 + 2) * 256 / 4);
  EXPECT_EQ(depth.at(1, 0), (3 + 2 + 1 + 2 + 2 + 1) * 256 / 6);
  EXPECT_EQ(depth.at(1, 1), (3 + 2 + 1 + 2 + 2 + 1 + 1 + 1 + 1) * 256 / 9);
  EXPECT_EQ(depth.at(2, 2), (2 + 1 + 1 + 1) * 256 / 9);
  EXPECT_EQ(depth.at(3, 1), 0);
}

TEST(PreWatershed, CpuMatchesTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Mask& mask) {
      Mask expected(width, height, padding), actual(width, height, padding);
      const int least = static_cast<int>(rng() % 50), h = static_cast<int>(rng() % 800);
      const int grow = static_cast<int>(rng() % 4), smooth = static_cast<int>(rng() % 4);
      Depth expected_depth(width, height, padding), actual_depth(width, height, padding);
      reference::pre_watershed(context, mask.view(), least, grow, smooth, h, expected.view(), expected_depth.view());
      cpu::pre_watershed(context, mask.view(), least, grow, smooth, h, actual.view(), actual_depth.view());
      ASSERT_TRUE(same(expected, actual));
      ASSERT_TRUE(same(expected_depth, actual_depth));
    });
  });
}

/// Objects wider than the short-range search of the CPU version reaches.
TEST(PreWatershed, CpuMatchesTheReferenceOnLargeObjects) {
  support::TestContext context;
  const Mask whole = rectangle(400, 300, 0, 0, 400, 300);
  const Mask inside = rectangle(400, 300, 3, 2, 395, 297);
  const Mask halves = [] {
    Mask mask = rectangle(400, 300, 1, 1, 399, 299);
    for (int y = 0; y < 300; ++y)
      if (y < 140 || y > 160) mask.at(200, y) = 0;
    return mask;
  }();
  for (const Mask* mask : {&whole, &inside, &halves}) {
    const int grow = mask == &inside ? 0 : 1, smooth = mask == &halves ? 0 : 1;
    Mask expected(400, 300), actual(400, 300);
    Depth expected_depth(400, 300), actual_depth(400, 300);
    reference::pre_watershed(context, mask->view(), kPaperPixels.clump_min_area, grow, smooth, kPaperPixels.split_depth,
                             expected.view(), expected_depth.view());
    cpu::pre_watershed(context, mask->view(), kPaperPixels.clump_min_area, grow, smooth, kPaperPixels.split_depth,
                       actual.view(), actual_depth.view());
    ASSERT_TRUE(same(expected, actual));
    ASSERT_TRUE(same(expected_depth, actual_depth));
  }
}

}  // namespace
}  // namespace starpath
