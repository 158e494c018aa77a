// Quartiles and standard scores.
#include <gtest/gtest.h>

#include <cmath>

#include "statistics/quartiles.hpp"
#include "statistics/standard_scores.hpp"

namespace starpath {
namespace {

TEST(Quartiles, LieBetweenNeighbours) {
  std::vector<double> numbers = {4, 1, 3, 2};
  const Quartiles found = quartiles(numbers);
  EXPECT_EQ(found.count, 4);
  EXPECT_EQ(found.mean, 2.5);
  EXPECT_EQ(found.q1, 1.75);
  EXPECT_EQ(found.median, 2.5);
  EXPECT_EQ(found.q3, 3.25);
}

TEST(Quartiles, OfOneAndNone) {
  std::vector<double> one = {7}, none;
  EXPECT_EQ(quartiles(one).q1, 7);
  EXPECT_EQ(quartiles(one).q3, 7);
  EXPECT_EQ(quartiles(none).count, 0);
  EXPECT_TRUE(std::isnan(quartiles(none).median));
}

TEST(StandardScores, AreDeviationsFromTheMean) {
  const StandardScores found = standard_scores(std::vector<double>{1, 3, std::nan(""), 5, 7});
  EXPECT_EQ(found.mean, 4);
  EXPECT_DOUBLE_EQ(found.deviation, std::sqrt(5));
  EXPECT_EQ(found.missing, 1u);
  EXPECT_EQ(found.scores[2], 0);
  EXPECT_DOUBLE_EQ(found.scores[0], -3 / std::sqrt(5));
  EXPECT_DOUBLE_EQ(found.scores[4], 3 / std::sqrt(5));
}

TEST(StandardScores, WhatRoundingMakesOfEqualNumbersDoesNotVary) {
  const double nearly = std::nextafter(0.1, 1);
  for (const auto& numbers : {std::vector<double>{0.1, 0.1, nearly}, {5}, {std::nan(""), INFINITY}, {}}) {
    const StandardScores found = standard_scores(numbers);
    EXPECT_FALSE(found.varies());
    for (const double score : found.scores) EXPECT_EQ(score, 0);
  }
}

}  // namespace
}  // namespace starpath
