// Work by upward rank, by hand.
#include "sched_policies/planning/work_by_upward_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace starpath {
namespace {

TEST(WorkByUpwardRank, WhatIsHigherGoesBeforeAndHalfOfTheSame) {
  WorkByUpwardRank work;
  work.add(WorkByUpwardRank::level(1), 10);
  work.add(WorkByUpwardRank::level(2), 3);
  work.add(WorkByUpwardRank::level(2), 3);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(1)), 11);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(1.5)), 6);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(2)), 3);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(3)), 0);
}

TEST(WorkByUpwardRank, LevelsDifferByATenthOrLess) {
  for (double upward_rank = 1e-5; upward_rank < 1000; upward_rank *= 1.1) {
    EXPECT_GT(WorkByUpwardRank::level(1.1 * upward_rank), WorkByUpwardRank::level(upward_rank)) << upward_rank;
    EXPECT_LE(WorkByUpwardRank::level(1.09 * upward_rank), WorkByUpwardRank::level(upward_rank) + 1) << upward_rank;
  }
}

TEST(WorkByUpwardRank, ALevelIsEightTimesTheLogarithmOfTheMicroseconds) {
  for (double upward_rank = 1.0001e-6; upward_rank < 4000; upward_rank *= 1.00037) {
    const double exact = 8 * std::log2(upward_rank * 1e6);
    if (std::abs(exact - std::round(exact)) < 1e-9) continue;  // either side is right
    EXPECT_EQ(WorkByUpwardRank::level(upward_rank), static_cast<WorkByUpwardRank::Level>(exact)) << upward_rank;
  }
}

TEST(WorkByUpwardRank, WhatIsOutOfRangeCountsAsTheNearest) {
  for (const double upward_rank : {-1.0, 0.0, 1e-12}) EXPECT_EQ(WorkByUpwardRank::level(upward_rank), 0);
  for (const double upward_rank : {1e5, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(WorkByUpwardRank::level(upward_rank), 255);
}

TEST(WorkByUpwardRank, RoundingErrorsDoNotPileUp) {
  WorkByUpwardRank work;
  for (int i = 0; i < 1000; ++i) {
    work.add(WorkByUpwardRank::level(1), 0.1);
    work.add(WorkByUpwardRank::level(1), 1e9);
    work.remove(WorkByUpwardRank::level(1), 0.1);
    work.remove(WorkByUpwardRank::level(1), 1e9);
    EXPECT_EQ(work.before(WorkByUpwardRank::level(0.5)), 0);
  }
}

TEST(WorkByUpwardRank, WhatWasRemovedDoesNotCount) {
  WorkByUpwardRank work;
  work.add(WorkByUpwardRank::level(8), 5);
  work.add(WorkByUpwardRank::level(1), 7);
  work.remove(WorkByUpwardRank::level(8), 5);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(0.5)), 7);
  work.add(WorkByUpwardRank::level(4), 1);
  EXPECT_EQ(work.before(WorkByUpwardRank::level(0.5)), 8);
  work.clear();
  EXPECT_EQ(work.before(WorkByUpwardRank::level(0.5)), 0);
}

}  // namespace
}  // namespace starpath
