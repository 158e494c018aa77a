// Regions on a grid: outlines, holes, corners.
#include "io/outlines/grid_regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace starpath::io {
namespace {

/// A grid drawn in text: '.' is nothing, letters are values.
struct Grid {
  explicit Grid(const std::vector<std::string>& lines)
      : columns(static_cast<int>(lines[0].size())), rows(static_cast<int>(lines.size())) {
    for (const std::string& line : lines)
      for (const char c : line) values.push_back(c == '.' ? -1 : c - 'a');
  }
  std::vector<GridRegion> regions() const { return grid_regions(values, columns, rows); }

  std::vector<int> values;
  int columns, rows;
};

/// Twice the area, positive when clockwise on the screen.
std::int64_t doubled_area(const Contour& ring) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    sum += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
  }
  return sum;
}

TEST(GridRegions, ALetterL) {
  const auto regions = Grid({"a.", "aa"}).regions();
  ASSERT_EQ(regions.size(), 1u);
  ASSERT_EQ(regions[0].rings.size(), 1u);
  EXPECT_EQ(regions[0].rings[0], (Contour{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {0, 2}}));
}

TEST(GridRegions, NeighboursAcrossACornerAreTwo) {
  const auto regions = Grid({"ab", "ba"}).regions();
  ASSERT_EQ(regions.size(), 4u);
  for (const GridRegion& region : regions) EXPECT_EQ(region.rings.size(), 1u);
}

TEST(GridRegions, AHoleRunsTheOtherWay) {
  const auto regions = Grid({"aaa", "aba", "aaa"}).regions();
  ASSERT_EQ(regions.size(), 2u);
  ASSERT_EQ(regions[0].rings.size(), 2u);
  EXPECT_EQ(doubled_area(regions[0].rings[0]), 18);
  EXPECT_EQ(doubled_area(regions[0].rings[1]), -2);
}

TEST(GridRegions, AHoleThatTouchesTheOutsideAcrossACornerHasItsOwnRing) {
  const auto regions = Grid({"aa.", "a.a", "aaa"}).regions();
  ASSERT_EQ(regions.size(), 1u);
  ASSERT_EQ(regions[0].rings.size(), 2u);
  EXPECT_EQ(doubled_area(regions[0].rings[0]), 2 * 8);
  EXPECT_EQ(doubled_area(regions[0].rings[1]), -2);
}

TEST(GridRegions, RandomGridsAreCoveredOnceBySimpleRings) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const int columns = 1 + static_cast<int>(random() % 12), rows = 1 + static_cast<int>(random() % 12);
    std::vector<int> values;
    for (int i = 0; i < columns * rows; ++i) values.push_back(static_cast<int>(random() % 4) - 1);
    std::size_t cells = 0;
    for (const GridRegion& region : grid_regions(values, columns, rows)) {
      cells += region.cells.size();
      std::int64_t area = 0;
      for (const Contour& ring : region.rings) {
        area += doubled_area(ring);
        for (std::size_t i = 0; i < ring.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) ASSERT_FALSE(ring[i] == ring[j]) << "a ring passes a vertex twice";
      }
      ASSERT_EQ(area, 2 * static_cast<std::int64_t>(region.cells.size()));
      ASSERT_GT(doubled_area(region.rings[0]), 0);
      for (std::size_t i = 1; i < region.rings.size(); ++i) ASSERT_LT(doubled_area(region.rings[i]), 0);
    }
    ASSERT_EQ(cells,
              static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](int v) { return v >= 0; })));
  }
}

}  // namespace
}  // namespace starpath::io
