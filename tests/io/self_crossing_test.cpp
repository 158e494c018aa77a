// Drawn regions that cross themselves.
#include "io/annotations/self_crossing.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/growth.hpp"

namespace starpath::io {
namespace {

const Polygon kNotched{{{0, 0}, {10, 0}, {10, 10}, {5, 5}, {0, 10}}, {{{4, 1}, {6, 1}, {6, 3}, {4, 3}}}};

Polygon square(double x, double y, double side) {
  return {{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}, {}};
}

TEST(SelfCrossing, OfOneRingOrTwo) {
  EXPECT_TRUE(crosses_itself({{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}, {}}}));
  EXPECT_FALSE(crosses_itself({kNotched}));
  EXPECT_FALSE(crosses_itself({square(2, 2, 6)}));
  EXPECT_FALSE(crosses_itself({}));
  EXPECT_TRUE(crosses_itself({{square(2, 2, 6).outline, {{{1, 4}, {4, 4}, {4, 5}, {1, 5}}}}})) << "a hole leaves it";
  EXPECT_TRUE(crosses_itself({square(0, 0, 4), square(3, 3, 4)}));
}

TEST(SelfCrossing, RingsMayTouch) {
  EXPECT_FALSE(crosses_itself({square(0, 0, 4), square(4, 0, 4), square(4, 4, 2)}));
  EXPECT_FALSE(crosses_itself({square(0, 0, 4), square(4, 1, 2)}));
  EXPECT_FALSE(crosses_itself({{{{0, 0}, {4, 0}, {2, 2}, {4, 4}, {0, 4}, {2, 2}}, {}}}));
}

TEST(SelfCrossing, IsFoundAmongManyEdgesAsByComparingEachTwo) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0, 100), size(1, 4);
  int crossing = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Polygon> squares;
    bool expected = false;
    for (int i = 0; i < 20; ++i) {
      const double x = place(random), y = place(random), side = size(random);
      for (const Polygon& other : squares) {
        const Vertex from = other.outline[0], to = other.outline[2];
        const bool apart = x > to.x || x + side < from.x || y > to.y || y + side < from.y;
        const bool inside = x > from.x && x + side < to.x && y > from.y && y + side < to.y;
        const bool around = x < from.x && x + side > to.x && y < from.y && y + side > to.y;
        expected |= !apart && !inside && !around;
      }
      squares.push_back(square(x, y, side));
    }
    ASSERT_EQ(crosses_itself(squares), expected) << round;
    crossing += expected;
  }
  EXPECT_GT(crossing, 20);
  EXPECT_LT(crossing, 180);
}

/// A needle biopsy upright on the slide: all edges have the same x.
TEST(SelfCrossing, EdgesAreNotComparedPairByPair) {
  const double times = starpath::test::growth(1000, 32'000, [](std::size_t points) {
    Polygon strip;
    for (std::size_t i = 0; i < points; ++i)
      strip.outline.push_back({static_cast<double>(i % 2), static_cast<double>(i)});
    for (std::size_t i = points; i-- > 0;)
      strip.outline.push_back({static_cast<double>(100 + i % 2), static_cast<double>(i)});
    return [strip = std::vector{strip}] { EXPECT_FALSE(crosses_itself(strip)); };
  });
  EXPECT_LT(times, 32 * 5);
}

}  // namespace
}  // namespace starpath::io
