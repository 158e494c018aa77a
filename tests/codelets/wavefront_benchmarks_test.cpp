// The kernels of dependent loops: by hand, and the CPU kernels against the reference, divided into any tiles.
#include "codelets/benchmarks/wavefronts.hpp"
#include "tests/support/wavefronts.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(HeatStep, ByHand) {
  Plate plate(2, 1);
  plate.before = {{0, 0, 0, 0}, {0, 0, 8, 16}, {0, 4, 12, 0}};
  plate.now = {{0, 4, 8, 0}, {20, 0, 0, 0}, {0, 0, 0, 0}};
  reference::heat_step(TestContext(), plate.tile(0, 0, 2, 1));
  EXPECT_EQ(plate.now.at(1, 1), (8 + 4 + 4 + 20) / 4.0F);
  EXPECT_EQ(plate.now.at(2, 1), (16 + 12 + 8 + 9) / 4.0F);
}

TEST(MatchStrings, ScoresByHand) {
  Strings strings("GA", "TGA");
  reference::match_strings(TestContext(), strings.tile(0, 0, 3, 2));
  EXPECT_TRUE(same(Image<std::int32_t>{{0, 0, 0, 0}, {0, 0, 2, 1}, {0, 0, 1, 4}}, strings.scores));
}

// In tiles of a random size, row by row of tiles.
template <class Run>
void in_tiles(Rng& rng, int width, int height, Run run) {
  const int wide = 1 + static_cast<int>(rng() % 40), high = 1 + static_cast<int>(rng() % 40);
  for (int y = 0; y < height; y += high)
    for (int x = 0; x < width; x += wide) run(x, y, std::min(wide, width - x), std::min(high, height - y));
}

TEST(HeatStep, CpuEqualsReferenceToTheBitInAnyTiles) {
  for_awkward_sizes([](Rng& rng, int width, int height, int) {
    Plate expected(width, height);
    expected.fill(rng);
    Plate actual = expected;
    reference::heat_step(TestContext(), expected.tile(0, 0, width, height));
    in_tiles(rng, width, height,
             [&](int x, int y, int w, int h) { cpu::heat_step(TestContext(), actual.tile(x, y, w, h)); });
    EXPECT_TRUE(same(expected.now, actual.now));
  });
}

TEST(MatchStrings, CpuEqualsReferenceInAnyTiles) {
  for_awkward_sizes([](Rng& rng, int width, int height, int) {
    Strings expected(random_string(rng, height), random_string(rng, width));
    Strings actual = expected;
    reference::match_strings(TestContext(), expected.tile(0, 0, width, height));
    in_tiles(rng, width, height,
             [&](int x, int y, int w, int h) { cpu::match_strings(TestContext(), actual.tile(x, y, w, h)); });
    EXPECT_TRUE(same(expected.scores, actual.scores));
  });
}

}  // namespace
}  // namespace starpath
