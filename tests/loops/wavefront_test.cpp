// Dependent iterations: never before what they need, each once, and no loop that stops half-way.
#include "loops/wavefront.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <utility>

namespace starpath::loops {
namespace {

using Vectors = std::vector<Dependency>;
const Vectors kLeftAndUp = {{1, 0}, {0, 1}};

TEST(Wavefront, FollowsFigureNine) {
  // 6 rows, strides of 2 columns, needs left and up. P1 runs the corner; then two tiles may run beside each other.
  Wavefront wave({.rows = 6, .columns = 6, .stride = 2, .dependencies = kLeftAndUp});
  EXPECT_EQ(wave.ready(), 12U) << "the whole first stride, which one processor may run in order";
  const Tile corner = wave.take(4);
  EXPECT_EQ(corner, (Tile{0, 2, 0, 2}));
  EXPECT_EQ(wave.ready(), 0U) << "everything else waits for the corner";
  EXPECT_FALSE(wave.take(4));
  wave.finish(corner);
  const Tile below = wave.take(4);
  const Tile beside = wave.take(100);
  EXPECT_EQ(below, (Tile{2, 2, 0, 2}));
  EXPECT_EQ(beside, (Tile{0, 2, 2, 2})) << "reduced to the rows that are ready";
  EXPECT_EQ(wave.left(), 36U - 12U);
  EXPECT_FALSE(wave.done());
}

TEST(Wavefront, TakesFirstWhatMostIsToComeBehind) {
  Wavefront wave({.rows = 6, .columns = 6, .stride = 2, .dependencies = {}});
  EXPECT_EQ(wave.take(8), (Tile{0, 4, 0, 2}));
  EXPECT_EQ(wave.take(8), (Tile{0, 4, 2, 2})) << "in the first stride two rows are left";
  EXPECT_EQ(wave.take(3), (Tile{0, 1, 4, 2})) << "large enough all three; this one is farthest behind";
  EXPECT_EQ(wave.take(100), (Tile{1, 5, 4, 2})) << "none is large enough: the largest";
  EXPECT_EQ(wave.take(100), (Tile{4, 2, 0, 2}));
  EXPECT_EQ(wave.largest(), 4U);
  EXPECT_EQ(wave.take(100), (Tile{4, 2, 2, 2}));
  EXPECT_FALSE(wave.take(100));
  EXPECT_EQ(wave.largest(), 0U);
}

constexpr unsigned kOwner = 7;

TEST(Wavefront, ALaneIsItsOwnersAndItsTilesAreAsWide) {
  Wavefront wave({.rows = 6, .columns = 6, .stride = 2, .dependencies = kLeftAndUp});
  ASSERT_TRUE(wave.allows_lanes());
  EXPECT_FALSE(wave.lane(kOwner));
  wave.set_lane(kOwner, 0, 2);
  EXPECT_EQ(wave.ready(), 0U);
  EXPECT_FALSE(wave.take(100)) << "all others wait for the lane";
  EXPECT_EQ(wave.lane_ready(kOwner), 6U);
  const Tile tile = wave.take_lane(kOwner, 2);
  EXPECT_EQ(tile, (Tile{0, 2, 0, 4}));
  EXPECT_EQ(wave.lane(kOwner), (Lane{0, 2, 2}));
  EXPECT_EQ(wave.lane_ready(kOwner), 0U) << "while it runs";
  wave.finish(tile);
  EXPECT_EQ(wave.lane_ready(kOwner), 4U);
  EXPECT_EQ(wave.take(100), (Tile{0, 2, 4, 2})) << "as far as the lane has come";
  EXPECT_EQ(wave.first_free(), 2U);
  wave.drop_lane(kOwner);
  EXPECT_EQ(wave.take(100), (Tile{2, 4, 0, 2}));
}

TEST(Wavefront, ALaneBeginsWhereItsStridesAreLevel) {
  Wavefront wave({.rows = 6, .columns = 6, .stride = 2, .dependencies = kLeftAndUp});
  const Tile first = wave.take(6);
  ASSERT_EQ(first, (Tile{0, 3, 0, 2}));
  wave.set_lane(kOwner, 0, 2);
  EXPECT_EQ(wave.lane(kOwner).row, 3U);
  EXPECT_EQ(wave.lane_ready(kOwner), 0U);
  wave.finish(first);
  const Tile level = wave.take(100);
  EXPECT_EQ(level, (Tile{0, 3, 2, 2})) << "others level it, and go no farther";
  EXPECT_FALSE(wave.take(100));
  wave.finish(level);
  EXPECT_EQ(wave.lane_ready(kOwner), 3U);
  const Tile last = wave.take_lane(kOwner, 3);
  EXPECT_EQ(last, (Tile{3, 3, 0, 4}));
  EXPECT_EQ(wave.first_free(), 2U);
}

TEST(Wavefront, HasNoLanesWhereLaterColumnsAreNeeded) {
  for (const Vectors& vectors : {Vectors{{1, -1}, {0, 1}}, {{-1, 1}}})
    EXPECT_FALSE(Wavefront({.rows = 6, .columns = 6, .stride = 1, .dependencies = vectors}).allows_lanes());
}

TEST(Wavefront, IndependentIterationsAreAllReady) {
  Wavefront wave({.rows = 5, .columns = 7, .stride = 3, .dependencies = {}});
  EXPECT_EQ(wave.ready(), 35U);
}

TEST(Wavefront, RefusesVectorsThatAllowNoOrder) {
  const auto make = [](const Vectors& vectors, std::size_t stride) {
    return Wavefront({.rows = 8, .columns = 8, .stride = stride, .dependencies = vectors});
  };
  for (const Vectors& vectors : {Vectors{{0, 0}},
                                 {{-1, 0}},
                                 {{0, -1}},
                                 {{1, 0}, {-1, 0}},
                                 {{1, -1}, {-1, 1}},
                                 {{0, 1}, {-1, 0}},
                                 {{-1, 2}, {1, -1}}})
    EXPECT_THROW(make(vectors, 1), std::invalid_argument);
  EXPECT_THROW(make({{-1, 1}}, 2), std::invalid_argument)
      << "within one stride of two columns there is no order by rows";
  EXPECT_NO_THROW(make({{-1, 1}}, 1));
  EXPECT_NO_THROW(make({{1, -1}, {0, 1}}, 3));
  EXPECT_THROW(make({}, 0), std::invalid_argument);
}

TEST(Wavefront, AcceptsEmptyLoops) {
  EXPECT_TRUE(Wavefront({.rows = 0, .columns = 8, .stride = 2, .dependencies = kLeftAndUp}).done());
  EXPECT_TRUE(Wavefront({.rows = 8, .columns = 0, .stride = 2, .dependencies = kLeftAndUp}).done());
}

// Takes and finishes tiles in random order and checks every iteration against the vectors.
void run_randomly(const WavefrontSetup& setup, unsigned seed) {
  std::mt19937 random(seed);
  Wavefront wave(setup);
  std::vector<unsigned> finished(setup.rows * setup.columns, 0);
  const auto check_and_run = [&](const Tile& tile) {
    for (std::size_t i = tile.row; i < tile.row + tile.rows; ++i)
      for (std::size_t j = tile.column; j < tile.column + tile.columns; ++j) {
        for (const Dependency& d : setup.dependencies) {
          const auto row = static_cast<long>(i) - d.rows, column = static_cast<long>(j) - d.columns;
          if (row < 0 || column < 0 || row >= static_cast<long>(setup.rows) ||
              column >= static_cast<long>(setup.columns))
            continue;
          ASSERT_EQ(finished[static_cast<std::size_t>(row) * setup.columns + static_cast<std::size_t>(column)], 1U)
              << "(" << i << ", " << j << ") before (" << row << ", " << column << "), seed " << seed;
        }
        ++finished[i * setup.columns + j];
      }
  };
  std::vector<Tile> running;
  const auto take = [&] {
    for (unsigned p = 0; p < 2 && wave.allows_lanes(); ++p)
      if (const std::size_t rows = wave.lane_ready(p); rows > 0 && random() % 2 == 0)
        return wave.take_lane(p, 1 + random() % rows);
    return wave.take(1 + random() % 60);
  };
  while (!wave.done()) {
    if (wave.allows_lanes() && random() % 4 == 0) {
      const auto p = static_cast<unsigned>(random() % 2);
      wave.drop_lane(p);
      if (const std::size_t first = wave.first_free(); first < wave.strides())
        wave.set_lane(p, first, first + 1 + random() % (wave.strides() - first));
    }
    if (running.empty() && wave.ready() == 0 && wave.lane_ready(0) + wave.lane_ready(1) == 0) wave.drop_lanes();
    const Tile tile = random() % 3 != 0 || running.empty() ? take() : Tile{};
    if (tile && random() % 10 == 0) {
      wave.give_back(tile);
    } else if (tile) {
      running.push_back(tile);
    } else if (!running.empty()) {
      const std::size_t at = random() % running.size();
      check_and_run(running[at]);  // as late as may be: what it needs must have finished before it was taken
      if (testing::Test::HasFatalFailure()) return;
      wave.finish(running[at]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      ASSERT_GT(wave.ready() + wave.lane_ready(0) + wave.lane_ready(1), 0U)
          << "nothing runs and nothing is ready, seed " << seed;
    }
  }
  EXPECT_TRUE(running.empty());
  EXPECT_EQ(wave.left(), 0U);
  EXPECT_EQ(wave.ready(), 0U);
  for (const unsigned count : finished) ASSERT_EQ(count, 1U) << "seed " << seed;
}

TEST(Wavefront, KeepsEveryOrderAndRunsEachIterationOnce) {
  const std::vector<Vectors> cases = {kLeftAndUp,
                                      {{1, 0}, {0, 1}, {1, 1}},
                                      {{1, -1}, {0, 1}},
                                      {{1, -3}, {1, 0}},
                                      {{0, 5}},
                                      {{3, 0}},
                                      {{2, 2}},
                                      {{1, 0}},
                                      {}};
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const Vectors& vectors : cases) {
      std::mt19937 random(seed);
      run_randomly({1 + random() % 20, 1 + random() % 20, 1 + random() % 6, vectors}, seed);
      run_randomly({1 + random() % 20, 1 + random() % 20, 1, {{-1, 1}, {1, 0}}}, seed);
      run_randomly({1 + random() % 20, 1 + random() % 20, 2, {{-2, 3}, {1, 0}}}, seed);
      if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace starpath::loops
