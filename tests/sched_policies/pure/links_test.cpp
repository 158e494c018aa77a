// Links by hand: queues, sharing, and what measurements correct.
#include "sched_policies/apex/links.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

TEST(Links, CopiesToAPlaceFollowEachOther) {
  Links links(1);
  const double first = links.start(0, 4, 0, 0);
  EXPECT_DOUBLE_EQ(links.done_at(0, first, 0), 4);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 0), 6);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 3), 6);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 9), 11);
}

TEST(Links, WhatIsCopiedBackDelaysTheNext) {
  Links links(1);
  const double first = links.start(0, 4, 3, 0);
  EXPECT_DOUBLE_EQ(links.done_at(0, first, 0), 4);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 0), 8);
}

TEST(Links, LinksShareTheWay) {
  Links links(2);
  const double longer = links.start(0, 6, 0, 0);
  EXPECT_DOUBLE_EQ(links.sharing(1), 2);
  EXPECT_DOUBLE_EQ(links.done(1, 2, 0), 4) << "half as fast as alone";
  links.start(1, 2, 0, 0);
  EXPECT_DOUBLE_EQ(links.done_at(0, longer, 0), 8);
  EXPECT_DOUBLE_EQ(links.done_at(0, longer, 5), 8);
  EXPECT_DOUBLE_EQ(links.sharing(0), 1) << "the shorter one is done";
  EXPECT_DOUBLE_EQ(links.width(), 1);
}

TEST(Links, ATaskThatBeganHadItsData) {
  Links links(1);
  const double position = links.start(0, 8, 0, 0);
  links.began(0, position, 0, false, 2);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 2), 3);
}

TEST(Links, OneThatWaitedHadThemNoSooner) {
  Links links(1);
  const double first = links.start(0, 2, 0, 0);
  links.start(0, 4, 0, 0);
  links.began(0, first, 1, true, 5);  // it began at 4 instead of 2
  EXPECT_DOUBLE_EQ(links.done(0, 1, 5), 9) << "of the second 1 is copied and 3 are not";
}

TEST(Links, ButNotBeforeWhatOthersUsed) {
  Links links(1);
  const double first = links.start(0, 2, 0, 0), second = links.start(0, 4, 0, 0);
  links.began(0, second, 0, false, 6);
  links.began(0, first, 0, true, 6);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 6), 7);
}

TEST(Links, TheWayIsAsWideAsWhatWasCopiedSays) {
  Links links(2);
  for (const PlaceId place : {0U, 1U}) {
    const double position = links.start(place, 10, 0, 0);
    links.began(place, position, 0, false, 10);
  }
  EXPECT_GT(links.start(0, 10, 0, 20), 10);
  EXPECT_LT(links.done(1, 10, 20), 40) << "20 were copied in 10, so two links at once are no slower";
}

TEST(Links, ATaskWithoutCopiesTellsNothing) {
  Links links(1);
  links.start(0, 8, 0, 0);
  links.began(0, 0, 0, true, 4);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 4), 9);
}

}  // namespace
}  // namespace starpath
