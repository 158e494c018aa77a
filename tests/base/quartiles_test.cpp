// Quartiles.
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

}  // namespace
}  // namespace starpath
