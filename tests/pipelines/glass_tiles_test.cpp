// Points on tiles of glass.
#include "pipelines/segmentation/glass_tiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/growth.hpp"

namespace starpath {
namespace {

/// About every other tile of the region.
std::vector<Rect> some_tiles(const TilingOptions& options, std::mt19937& random) {
  std::vector<Rect> cores;
  for (const Tile& tile : cut_tiles(1000, 700, options))
    if (random() % 2 == 0) cores.push_back(tile.core);
  return cores;
}

bool holds(const Rect& core, double x, double y) {
  return x >= static_cast<double>(core.x) && x < static_cast<double>(core.right()) &&
         y >= static_cast<double>(core.y) && y < static_cast<double>(core.bottom());
}

TEST(GlassTiles, HoldThePointsThatOneOfThemHolds) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-50, 1100);
  for (int round = 0; round < 40; ++round) {
    TilingOptions options;
    options.tile = 20 + round * 7;
    if (round % 2 == 1) options.roi = {37, 51, 600 + round, 400 - round};
    const std::vector<Rect> cores = some_tiles(options, random);
    GlassTiles glass;
    for (const Rect& core : cores) glass.add(core);
    const auto agrees_at = [&](double x, double y) {
      ASSERT_EQ(glass.holds(x, y), std::ranges::any_of(cores, [&](const Rect& core) { return holds(core, x, y); }))
          << x << " " << y;
    };
    for (int i = 0; i < 300; ++i) agrees_at(place(random), place(random));
    for (const Rect& core : cores)
      for (const auto& [x, y] : {std::pair(core.x, core.y), std::pair(core.right(), core.bottom())}) {
        const auto at_x = static_cast<double>(x), at_y = static_cast<double>(y);
        agrees_at(at_x, at_y);
        agrees_at(std::nextafter(at_x, -1.0), std::nextafter(at_y, -1.0));
      }
    agrees_at(std::nan(""), 100);
    agrees_at(100, std::nan(""));
  }
}

TEST(GlassTiles, AreNotSearchedOneByOne) {
  const double times = test::growth(8, 128, [](std::size_t side) {
    const auto glass = std::make_shared<GlassTiles>();
    for (std::size_t i = 0; i < side * side; ++i)
      glass->add({static_cast<std::int64_t>(i % side) * 10, static_cast<std::int64_t>(i / side) * 10, 10, 10});
    return [glass, side] {
      std::mt19937 random(1);
      std::uniform_real_distribution<double> place(0, 11 * static_cast<double>(side));
      std::size_t found = 0;
      for (int i = 0; i < 2000; ++i) found += glass->holds(place(random), place(random));
      EXPECT_GT(found, 0u);
    };
  });
  EXPECT_LT(times, 64) << "of 256 times as many tiles";
}

}  // namespace
}  // namespace starpath
