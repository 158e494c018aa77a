// Stains from the directions of pixels.
#include <gtest/gtest.h>

#include "pipelines/survey/stains.hpp"
#include "tests/pipelines/stain_mixture.hpp"

namespace starpath {
namespace {

using test::mixture;

TEST(SurveyStains, AreFoundInTheirMixtures) {
  const StainVectors truth{{560, 720, 410}, {220, 850, 480}};
  const auto found = estimate_stains(mixture(truth.haematoxylin, truth.eosin, 100));
  ASSERT_TRUE(found.has_value());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(found->haematoxylin[c], truth.haematoxylin[c], 15) << c;
    EXPECT_NEAR(found->eosin[c], truth.eosin[c], 15) << c;
  }
  EXPECT_FALSE(estimate_stains(mixture(truth.haematoxylin, truth.eosin, 1)).has_value()) << "too few pixels";
}

TEST(SurveyStains, SharesOfDirections) {
  EXPECT_GT(share_directions(mixture({27, 57, 78}, {27, 57, 78}, 1)).brown, 95);
  EXPECT_GT(share_directions(mixture({50, 50, 50}, {50, 50, 50}, 1)).neutral, 95);
  const DirectionShares he = share_directions(mixture({560, 720, 410}, {220, 850, 480}, 1));
  EXPECT_LT(he.brown + he.neutral + he.foreign, 5);
  EXPECT_GT(share_directions(mixture(kDefaultStains.haematoxylin, kDefaultStains.haematoxylin, 1)).haematoxylin, 95);
  EXPECT_GT(share_directions(mixture({31, 24, 45}, {31, 24, 45}, 1)).foreign, 95) << "haematoxylin and eosin inverted";
  EXPECT_EQ(share_directions({}).pixels, 0);
}

TEST(StainInverse, OfTheDefaultStainsHasTheBitsOfTheTable) {
  EXPECT_EQ(stain_inverse(kDefaultStains), kStainInverse);
  EXPECT_EQ(stain_amounts(kDefaultStains), kStainAmountTable);
  EXPECT_NE(stain_amounts({{560, 720, 410}, {220, 850, 480}}), kStainAmountTable);
}

}  // namespace
}  // namespace starpath
