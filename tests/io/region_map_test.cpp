// Points and boxes in drawn regions.
#include "io/annotations/region_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/growth.hpp"

namespace starpath::io {
namespace {

/// A star shape that is not convex, with a hole.
const Polygon kPolygon{{{0, 0}, {10, 0}, {10, 10}, {5, 5}, {0, 10}}, {{{4, 1}, {6, 1}, {6, 3}, {4, 3}}}};
const Polygon kSquarePolygon{{{2, 2}, {8, 2}, {8, 8}, {2, 8}}, {}};
const Polygon kBowTiePolygon{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}, {}};

Region region(const std::string& name, const Polygon& polygon) { return {name, "", {polygon}}; }

TEST(PolygonIndex, HoldsWhatAnOddNumberOfRingsSurround) {
  const PolygonIndex shape({kPolygon});
  for (const Vertex in : {Vertex{1, 1}, {9, 9}, {5, 4}, {5, 0.5}}) EXPECT_TRUE(shape.contains(in.x, in.y)) << in.x;
  for (const Vertex out : {Vertex{5, 2}, {5, 6}, {-1, 5}, {11, 5}, {5, -1}, {5, 11}})
    EXPECT_FALSE(shape.contains(out.x, out.y)) << out.x << " " << out.y;
  const PolygonIndex tie({kBowTiePolygon});
  EXPECT_TRUE(tie.contains(0.5, 2));
  EXPECT_TRUE(tie.contains(3.5, 2));
  EXPECT_FALSE(tie.contains(2, 0.5));
  EXPECT_FALSE(PolygonIndex({}).contains(0, 0));
}

// Two squares that share an edge hold each point of it once.
TEST(PolygonIndex, APointOnAnEdgeBelongsToOneSide) {
  const PolygonIndex left({{{{0, 0}, {1, 0}, {1, 2}, {0, 2}}, {}}}), right({{{{1, 0}, {2, 0}, {2, 2}, {1, 2}}, {}}});
  for (const double y : {0.0, 0.5, 1.0, 1.999}) EXPECT_NE(left.contains(1, y), right.contains(1, y)) << y;
}

TEST(PolygonIndex, KnowsHowMuchOfABoxIsInside) {
  const PolygonIndex shape({kPolygon});
  EXPECT_EQ(shape.cover({1, 1, 2, 2}), Cover::all);
  EXPECT_EQ(shape.cover({4.5, 1.5, 5.5, 2.5}), Cover::none);  // in the hole
  EXPECT_EQ(shape.cover({3, 0.5, 7, 3.5}), Cover::part);      // around it
  EXPECT_EQ(shape.cover({-5, -5, 20, 20}), Cover::part);
  EXPECT_EQ(shape.cover({11, 0, 12, 1}), Cover::none);
  EXPECT_EQ(shape.cover({4.5, 7, 5.5, 9}), Cover::none);                       // in the notch
  EXPECT_EQ(PolygonIndex({kSquarePolygon}).cover({4, 7, 5, 9}), Cover::part);  // a level edge alone
}

TEST(PolygonIndex, AgreesWithItsDefinitionOnManyPoints) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-10, 110);
  Ring ring;
  for (int i = 0; i < 300; ++i) ring.push_back({place(random), place(random)});
  const PolygonIndex index({{ring, {}}});
  for (int i = 0; i < 2000; ++i) {
    const double x = place(random), y = place(random);
    int crossings = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vertex a = ring[k], b = ring[(k + 1) % ring.size()];
      if ((a.y <= y) != (b.y <= y)) crossings += a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) < x;
    }
    ASSERT_EQ(index.contains(x, y), crossings % 2 == 1) << x << " " << y;
  }
}

TEST(RegionMap, TheSmallestRegionThatHoldsAPointHasIt) {
  const RegionMap map({region("shape", kPolygon), region("square", kSquarePolygon)},
                      {region("pen", {{{3, 3}, {4, 3}, {4, 4}, {3, 4}}, {}})});
  EXPECT_EQ(map.region_of(7, 6), 1);
  EXPECT_EQ(map.region_of(1, 1), 0);
  EXPECT_EQ(map.region_of(20, 1), -1);
  EXPECT_EQ(map.region_of(3.5, 3.5), -1);
  EXPECT_TRUE(map.wants({0, 0, 20, 20}));
  EXPECT_FALSE(map.wants({11, 0, 20, 20}));
  EXPECT_FALSE(map.wants({3.2, 3.2, 3.8, 3.8}));
  EXPECT_EQ(map.bounds({0, 0, 1, 1}).x1, 10);
}

Polygon square_at(double x, double y, double side) {
  return {{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}, {}};
}

TEST(RegionMap, AgreesWithItsDefinitionOnManyRegions) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(0, 100), size(1, 30);
  const auto squares = [&](int count) {
    std::vector<Region> made;
    for (int i = 0; i < count; ++i)
      made.push_back(region(std::to_string(i), square_at(place(random), place(random), size(random))));
    return made;
  };
  const auto holds = [](const Region& each, double x, double y) { return PolygonIndex(each.polygons).contains(x, y); };
  const std::vector<Region> wanted = squares(60), excluded = squares(3);
  const RegionMap map(wanted, excluded);
  for (int round = 0; round < 2000; ++round) {
    const double x = place(random), y = place(random);
    int expected = -1;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (holds(wanted[i], x, y) &&
          (expected < 0 || area(wanted[i].polygons[0]) < area(wanted[static_cast<std::size_t>(expected)].polygons[0])))
        expected = static_cast<int>(i);
    if (std::ranges::any_of(excluded, [&](const Region& each) { return holds(each, x, y); })) expected = -1;
    ASSERT_EQ(map.region_of(x, y), expected) << x << " " << y;
  }
}

TEST(RegionMap, APointIsNotComparedWithEachRegion) {
  const double times = starpath::test::growth(100, 10'000, [](std::size_t count) {
    const auto across = static_cast<std::size_t>(std::sqrt(count));
    std::vector<Region> regions;
    for (std::size_t i = 0; i < count; ++i)
      regions.push_back(region(
          std::to_string(i), square_at(static_cast<double>(i % across) * 10, static_cast<double>(i / across) * 10, 8)));
    return [map = RegionMap(std::move(regions), {}), side = static_cast<double>(across) * 10] {
      std::mt19937 random(1);
      std::uniform_real_distribution<double> place(0, side);
      for (int i = 0; i < 5000; ++i) map.region_of(place(random), place(random));
    };
  });
  EXPECT_LT(times, 20) << "of a hundred times as many";
}

TEST(RegionMap, MeasuresWhatEachRegionHas) {
  const Polygon field{{{0, 0}, {100, 0}, {100, 50}, {0, 50}}, {}};
  const RegionMap map({region("field", field), region("square", kSquarePolygon)},
                      {region("pen", {{{3, 3}, {4, 3}, {4, 4}, {3, 4}}, {}})});
  const std::vector<double> areas = map.areas({0, 0, 90, 50});
  EXPECT_DOUBLE_EQ(areas[1], 35);            // the square without the pen's pixel
  EXPECT_DOUBLE_EQ(areas[0], 90 * 50 - 36);  // what lies on the slide, without the square
  EXPECT_NEAR(RegionMap({region("tie", {{{0, 0}, {50, 50}, {0, 50}}, {}})}, {}).areas({0, 0, 90, 50})[0], 1250, 1);
}

TEST(RegionMap, TakesNumbersOfAnySize) {
  for (const double far : {1e9, 1e300, 1.7e308}) {
    const RegionMap map({region("huge", {{{-far, -far}, {far, -far}, {far, far}, {-far, far}}, {}})}, {});
    EXPECT_EQ(map.region_of(5, 5), 0) << far;
    EXPECT_TRUE(map.wants({5, 5, 6, 6})) << far;
  }
  const RegionMap flat({region("flat", {{{0, 0}, {90, 0}, {90, 1e-300}, {0, 1e-300}}, {}})}, {});
  EXPECT_EQ(flat.region_of(5, 5), -1);
  EXPECT_TRUE(flat.wants({0, -9, 5, 9}));
}

TEST(RegionMap, WithoutRegionsAllElseIsWanted) {
  const RegionMap map({}, {region("pen", kSquarePolygon)});
  EXPECT_EQ(map.region_of(100, 100), 0);
  EXPECT_EQ(map.region_of(5, 5), -1);
  EXPECT_TRUE(map.wants({50, 50, 60, 60}));
  EXPECT_FALSE(map.wants({3, 3, 7, 7}));
  EXPECT_EQ(map.bounds({0, 0, 9, 9}).x1, 9);
}

}  // namespace
}  // namespace starpath::io
