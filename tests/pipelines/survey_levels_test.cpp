// Levels from histograms.
#include <gtest/gtest.h>

#include <array>

#include "pipelines/survey/levels.hpp"

namespace starpath {
namespace {

using Histogram = std::array<std::int64_t, 256>;

TEST(SurveyLevels, SplitLiesBetweenTwoClasses) {
  Histogram histogram{};
  histogram[3] = 60, histogram[5] = 30, histogram[70] = 10;
  const Split split = split_in_two(histogram);
  EXPECT_EQ(split.level, 5) << "the highest value of the lower class";
  EXPECT_EQ(split.separation, 99);
  EXPECT_EQ(levels_of({40, 80}), (Levels{40, 28}));
}

TEST(SurveyLevels, OneValueDoesNotSplit) {
  Histogram histogram{};
  EXPECT_EQ(split_in_two(histogram).level, 0);
  histogram[17] = 1000;
  EXPECT_EQ(split_in_two(histogram).level, 0);
  EXPECT_EQ(split_in_two(histogram).separation, 0);
}

/// Pixels above G2 with this much haematoxylin, in steps.
StainAmountCounts amounts_at(std::initializer_list<std::pair<int, std::int64_t>> steps) {
  StainAmountCounts counts{};
  counts[1][3] = 1'000'000;  // below G2
  for (const auto& [step, pixels] : steps) counts[20][static_cast<std::size_t>(step)] = pixels;
  return counts;
}

TEST(SurveyLevels, HaematoxylinPartsNucleiFromFibresWhereThereAreBoth) {
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 5000}, {40, 5000}}), 30), 11 * kAmountStep / 2);
  EXPECT_EQ(haematoxylin_level(amounts_at({{30, 5000}, {40, 5000}}), 30), 0) << "pale and dark nuclei";
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 200}, {40, 5000}}), 30), 0) << "hardly any fibres";
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 5000}, {40, 200}}), 30), 0) << "hardly any nuclei";
  EXPECT_EQ(haematoxylin_level(amounts_at({{40, 5000}}), 30), 0);
  EXPECT_EQ(haematoxylin_level(amounts_at({}), 30), 0);
}

}  // namespace
}  // namespace starpath
