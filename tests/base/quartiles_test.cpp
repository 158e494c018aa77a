// Quartiles and the median.
#include "base/pure/quartiles.hpp"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Median, OfAnEvenCountIsBetweenTheTwoInTheMiddle) {
  std::vector<double> odd = {4, 1, 3}, even = {4, 1, 3, 2}, one = {7};
  std::vector<std::int32_t> whole = {9, 2, 5, 6};
  EXPECT_EQ(median(std::span(odd)), 3);
  EXPECT_EQ(median(std::span(even)), 2.5);
  EXPECT_EQ(median(std::span(one)), 7);
  EXPECT_EQ(median(std::span(whole)), 5.5);
}

}  // namespace
}  // namespace starpath
