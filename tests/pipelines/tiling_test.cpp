// Cutting a slide into tiles.
#include "pipelines/run/tiling.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath {
namespace {

TEST(Intersection, IsTheCommonPart) {
  EXPECT_EQ(intersection({0, 0, 10, 10}, {5, 6, 10, 10}), (Rect{5, 6, 5, 4}));
  EXPECT_TRUE(intersection({0, 0, 4, 4}, {4, 0, 4, 4}).empty());
}

TEST(CutTiles, OnePixelIsOneTile) {
  const auto tiles = cut_tiles(1, 1, {});
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].core, (Rect{0, 0, 1, 1}));
  EXPECT_EQ(tiles[0].region, (Rect{0, 0, 1, 1}));
}

TEST(CutTiles, RegionIsCorePlusHaloCutAtTheSlide) {
  const TilingOptions options{.tile = 512, .halo = 100, .cell = 256, .roi = {}};
  const auto tiles = cut_tiles(2000, 600, options);
  ASSERT_EQ(tiles.size(), 8u);
  EXPECT_EQ(tiles[1].index, 1);
  EXPECT_EQ(tiles[1].core, (Rect{512, 0, 512, 512}));
  EXPECT_EQ(tiles[1].region, (Rect{412, 0, 712, 600}));  // bottom: 612 would be the halo, 600 is the slide
  EXPECT_EQ(tiles[4].core, (Rect{0, 512, 512, 88}));
}

TEST(CutTiles, RegionHoldsWholeCells) {
  const TilingOptions options{.tile = 300, .halo = 40, .cell = 256, .roi = {}};
  const auto tiles = cut_tiles(1200, 300, options);
  EXPECT_EQ(tiles[1].core, (Rect{300, 0, 300, 300}));
  EXPECT_EQ(tiles[1].region, (Rect{256, 0, 512, 300}));  // cells 1 and 2, wider than the halo on both sides
}

TEST(CutTiles, RegionOfInterestCutsCoresButKeepsTheGrid) {
  const TilingOptions options{.tile = 100, .halo = 32, .cell = 16, .roi = {150, 250, 100, 30}};
  const auto tiles = cut_tiles(1000, 1000, options);
  ASSERT_EQ(tiles.size(), 2u);
  EXPECT_EQ(tiles[0].index, 21);
  EXPECT_EQ(tiles[0].core, (Rect{150, 250, 50, 30}));
  EXPECT_EQ(tiles[1].core, (Rect{200, 250, 50, 30}));
  EXPECT_LE(tiles[0].region.x, 150 - 32);
}

TEST(CutTiles, NothingWhereTheRegionMissesTheSlide) {
  EXPECT_TRUE(cut_tiles(100, 100, {.tile = 10, .halo = 2, .cell = 4, .roi = {200, 0, 10, 10}}).empty());
}

TEST(CutTiles, CoresCoverEveryPixelOnce) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
    const std::int64_t width = pick(1, 90), height = pick(1, 90);
    const TilingOptions options{.tile = pick(3, 40), .halo = pick(0, 9), .cell = pick(1, 20), .roi = {}};
    std::vector<int> covered(static_cast<std::size_t>(width * height), 0);
    for (const Tile& tile : cut_tiles(width, height, options)) {
      EXPECT_EQ(intersection(tile.region, tile.core), tile.core);
      for (std::int64_t y = tile.core.y; y < tile.core.bottom(); ++y)
        for (std::int64_t x = tile.core.x; x < tile.core.right(); ++x)
          ++covered[static_cast<std::size_t>(y * width + x)];
    }
    for (const int times : covered) ASSERT_EQ(times, 1) << "round " << round;
  }
}

}  // namespace
}  // namespace starpath
