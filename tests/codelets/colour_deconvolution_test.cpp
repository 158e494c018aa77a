// The images of stains: the CPU's kernel against the reference, where a wanted object sees them.
#include "codelets/kernels/colour_deconvolution.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/features.hpp"
#include "codelets/kernels/stain_vectors.hpp"
#include "support/images.hpp"
#include "tests/support/feature_kernels.hpp"
#include "tests/support/objects.hpp"

namespace starpath {
namespace {

using support::Image;

TEST(ColourDeconvolution, OfAPixelIsItsStainValues) {
  Image<Rgb> rgb(1, 1);
  rgb.at(0, 0) = {120, 60, 140};
  const std::vector<ObjectBox> boxes = {{0, 0, 1, 1, 1, 0, 0, 0, 0}};
  const Image<std::uint8_t> channels =
      support::channels_of(support::kReferenceFeatures, rgb, boxes, {1}, kStainAmountTable);
  const StainValues values = stain_values(rgb.at(0, 0));
  EXPECT_EQ(channels.at(0, 0), values.haematoxylin);
  EXPECT_EQ(channels.at(0, 1), values.eosin);
  EXPECT_EQ(channels.at(0, 2), values.gray);
}

TEST(ColourDeconvolution, CpuEqualsReferenceWhereAWantedObjectSees) {
  const StainAmountTable stains = stain_amounts({{560, 720, 410}, {220, 850, 480}});
  support::for_awkward_sizes([&](support::Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = support::random_tissue(rng, width, height, padding);
    const std::vector<ObjectBox> boxes = support::boxes_of(support::random_labels(rng, width, height, padding));
    std::vector<std::uint8_t> wanted(boxes.size());
    for (auto& each : wanted) each = rng() % 2 == 0 ? 3 : 0;
    const auto expected = support::channels_of(support::kReferenceFeatures, rgb, boxes, wanted, stains);
    const auto actual = support::channels_of(support::kCpuFeatures, rgb, boxes, wanted, stains);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (wanted[i] == 0) continue;
      for (int y = std::max(0, boxes[i].y0 - kFeatureReach); y < std::min(height, boxes[i].y1 + kFeatureReach); ++y)
        for (int x = std::max(0, boxes[i].x0 - kFeatureReach); x < std::min(width, boxes[i].x1 + kFeatureReach); ++x)
          for (int c = 0; c < kStainChannels; ++c)
            ASSERT_EQ(actual.at(x, y + c * height), expected.at(x, y + c * height))
                << x << "," << y << " channel " << c;
    }
  });
}

TEST(ColourDeconvolution, ChannelsLieBelowEachOther) {
  Image<std::uint8_t> channels(4, 6, 3);
  channels.at(2, 5) = 9;
  const GrayView gray = channel_of(channels.view(), 2);
  EXPECT_EQ(gray.height, 2);
  EXPECT_EQ(gray.at(2, 1), 9);
}

}  // namespace
}  // namespace starpath
