// The distance that one in a hundred exceeds.
#include "base/pure/conformal_range.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath {
namespace {

TEST(ConformalRange, IsExceededByOneInAHundred) {
  std::vector<int> distances(199);
  for (int i = 0; i < 199; ++i) distances[static_cast<std::size_t>(i)] = 198 - i;
  EXPECT_EQ(conformal_range(distances), 197);  // 198 of 200 places are below the next
  EXPECT_EQ(conformal_range(std::vector{3, 9, 1}), 9);
  EXPECT_DOUBLE_EQ(conformal_chance(3), 0.25);
}

}  // namespace
}  // namespace starpath
