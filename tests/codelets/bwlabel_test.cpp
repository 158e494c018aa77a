// Operation 10: the final labels.
#include "codelets/kernels/bwlabel.hpp"

#include <gtest/gtest.h>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using support::Image;
using support::Rng;
using support::same;
using Mask = Image<std::uint8_t>;
using Labels = Image<std::int32_t>;

/// The frame of a rectangle, which has 2 * (w + h) - 4 pixels.
Mask frame(int width, int height, int w, int h) {
  Mask mask(width, height);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) mask.at(x, y) = 255;
  return mask;
}

TEST(BwlabelReference, DropsByAreaBeforeHolesAreFilled) {
  support::TestContext context;
  Labels labels(10, 9);
  std::int32_t count = -1;
  reference::bwlabel(context, frame(10, 9, 6, 6).view(), kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area,
                     labels.view(), &count);  // 20 pixels
  EXPECT_EQ(count, 0);
  EXPECT_TRUE(same(Labels(10, 9), labels));
  reference::bwlabel(context, frame(10, 9, 7, 6).view(), kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area,
                     labels.view(), &count);  // 22 pixels, 42 once filled
  EXPECT_EQ(count, 1);
  Labels filled(10, 9);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 7; ++x) filled.at(x, y) = 1;
  EXPECT_TRUE(same(filled, labels));
}

TEST(BwlabelReference, LabelsWhatTouchesAtACornerAsOne) {
  support::TestContext context;
  Mask nuclei = frame(20, 20, 7, 7);
  for (int y = 7; y < 14; ++y)
    for (int x = 7; x < 14; ++x) nuclei.at(x, y) = 255;
  Labels labels(20, 20);
  std::int32_t count = -1;
  reference::bwlabel(context, nuclei.view(), kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area,
                     labels.view(), &count);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(labels.at(3, 3), 1);
  EXPECT_EQ(labels.at(13, 13), 1);
}

TEST(Bwlabel, CpuMatchesTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Mask& nuclei) {
      Labels expected(width, height, padding), actual(width, height, padding);
      const int least = static_cast<int>(rng() % 40), most = least + static_cast<int>(rng() % 2000);
      std::int32_t expected_count = -1, actual_count = -2;
      reference::bwlabel(context, nuclei.view(), least, most, expected.view(), &expected_count);
      cpu::bwlabel(context, nuclei.view(), least, most, actual.view(), &actual_count);
      EXPECT_EQ(expected_count, actual_count);
      ASSERT_TRUE(same(expected, actual));
    });
  });
}

}  // namespace
}  // namespace starpath
