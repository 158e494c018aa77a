// Work by rank, by hand.
#include "sched_policies/core/work_by_rank.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace starpath {
namespace {

TEST(WorkByRank, WhatIsHigherGoesBeforeAndHalfOfTheSame) {
  WorkByRank work;
  work.add(WorkByRank::level(1), 10);
  work.add(WorkByRank::level(2), 3);
  work.add(WorkByRank::level(2), 3);
  EXPECT_EQ(work.before(WorkByRank::level(1)), 11);
  EXPECT_EQ(work.before(WorkByRank::level(1.5)), 6);
  EXPECT_EQ(work.before(WorkByRank::level(2)), 3);
  EXPECT_EQ(work.before(WorkByRank::level(3)), 0);
}

TEST(WorkByRank, LevelsDifferByATenthOrLess) {
  for (double rank = 1e-5; rank < 1000; rank *= 1.1) {
    EXPECT_GT(WorkByRank::level(1.1 * rank), WorkByRank::level(rank)) << rank;
    EXPECT_LE(WorkByRank::level(1.09 * rank), WorkByRank::level(rank) + 1) << rank;
  }
}

TEST(WorkByRank, WhatIsOutOfRangeCountsAsTheNearest) {
  for (const double rank : {-1.0, 0.0, 1e-12}) EXPECT_EQ(WorkByRank::level(rank), 0);
  for (const double rank : {1e5, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(WorkByRank::level(rank), 255);
}

TEST(WorkByRank, RoundingErrorsDoNotPileUp) {
  WorkByRank work;
  for (int i = 0; i < 1000; ++i) {
    work.add(WorkByRank::level(1), 0.1);
    work.add(WorkByRank::level(1), 1e9);
    work.remove(WorkByRank::level(1), 0.1);
    work.remove(WorkByRank::level(1), 1e9);
    EXPECT_EQ(work.before(WorkByRank::level(0.5)), 0);
  }
}

TEST(WorkByRank, WhatWasRemovedDoesNotCount) {
  WorkByRank work;
  work.add(WorkByRank::level(8), 5);
  work.add(WorkByRank::level(1), 7);
  work.remove(WorkByRank::level(8), 5);
  EXPECT_EQ(work.before(WorkByRank::level(0.5)), 7);
  work.add(WorkByRank::level(4), 1);
  EXPECT_EQ(work.before(WorkByRank::level(0.5)), 8);
  work.clear();
  EXPECT_EQ(work.before(WorkByRank::level(0.5)), 0);
}

}  // namespace
}  // namespace starpath
