// When the next slide of a study is due.
#include "mpi/protocol/slides_at_work.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath::mpi {
namespace {

constexpr std::size_t kWindow = 6, kWorkers = 2;

bool due(const SlidesAtWork& at_work) { return is_slide_due(at_work, kWindow, kWorkers); }

TEST(SlidesAtWork, OneIsDueWhenThereIsNone) {
  EXPECT_TRUE(due({}));
  EXPECT_TRUE(is_slide_due({}, 0, 0));
}

TEST(SlidesAtWork, NoneIsDueWhileThereAreTilesForTwoWindows) {
  EXPECT_TRUE(due({.computing = 1, .tiles = 11}));
  EXPECT_FALSE(due({.computing = 1, .tiles = 12}));
  EXPECT_FALSE(due({.opening = 2, .computing = 1, .tiles = 10})) << "each that is opened has a tile at least";
}

TEST(SlidesAtWork, FewAreOpenedAtATime) {
  EXPECT_TRUE(due({.opening = 3}));
  EXPECT_FALSE(due({.opening = 4}));
}

TEST(SlidesAtWork, MoreMayWriteExportsWhenTilesRunOut) {
  EXPECT_TRUE(due({.computing = 1, .concluding = 3, .tiles = 8}));
  EXPECT_FALSE(due({.computing = 1, .concluding = 4, .tiles = 8}));
  EXPECT_TRUE(due({.computing = 1, .concluding = 7, .tiles = 5}));
  EXPECT_FALSE(due({.concluding = 8}));
}

// What bounds memory: whatever slides do, few are open.
TEST(SlidesAtWork, FewAreAtWork) {
  std::mt19937 random(1);
  for (int run = 0; run < 200; ++run) {
    SlidesAtWork at_work;
    for (int step = 0; step < 500; ++step) {
      while (due(at_work)) ++at_work.opening;
      ASSERT_LE(at_work.opening, 2 * kWorkers);
      ASSERT_LE(at_work.computing, 2 * kWindow);
      ASSERT_LE(at_work.opening + at_work.computing + at_work.concluding, 6 * kWorkers + 2 * kWindow);
      const auto what = random() % 4;
      if (what == 0 && at_work.opening > 0) {
        --at_work.opening, ++at_work.computing;
        at_work.tiles += 1 + random() % 5;
      } else if (what == 1 && at_work.tiles > 0) {
        --at_work.tiles;
        if (at_work.computing > at_work.tiles) --at_work.computing, ++at_work.concluding;
      } else if (what > 1 && at_work.concluding > 0) {
        --at_work.concluding;
      }
    }
  }
}

}  // namespace
}  // namespace starpath::mpi
