// Links by hand: queues, sharing, and what measurements correct.
#include "sched_policies/apex/links.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

TEST(Links, CopiesToAPlaceFollowEachOther) {
  Links links(1);
  const double first = links.start(0, 4, 0, 0).position;
  EXPECT_DOUBLE_EQ(links.done_at(0, first, 0), 4);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 0), 6);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 3), 6);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 9), 11);
}

TEST(Links, CopiesThatArePlannedGoBeforeLaterOnes) {
  Links links(2);
  links.set_planned(0, 3);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 0), 5);
  EXPECT_DOUBLE_EQ(links.done(1, 2, 0), 4) << "half as fast as alone";
  EXPECT_DOUBLE_EQ(links.done(0, 2, 9), 14) << "they have not started";
  links.set_planned(0, 0);
  EXPECT_DOUBLE_EQ(links.done(0, 2, 9), 11);
}

TEST(Links, WhatIsCopiedBackDelaysTheNext) {
  Links links(1);
  const double first = links.start(0, 4, 3, 0).position;
  EXPECT_DOUBLE_EQ(links.done_at(0, first, 0), 4);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 0), 8);
}

TEST(Links, LinksShareTheBus) {
  Links links(2);
  const double longer = links.start(0, 6, 0, 0).position;
  EXPECT_DOUBLE_EQ(links.busy(), 1);
  EXPECT_DOUBLE_EQ(links.done(1, 2, 0), 4) << "half as fast as alone";
  links.start(1, 2, 0, 0);
  EXPECT_DOUBLE_EQ(links.busy(), 2);
  EXPECT_DOUBLE_EQ(links.done_at(0, longer, 0), 8);
  EXPECT_DOUBLE_EQ(links.done_at(0, longer, 4), 8);
  EXPECT_DOUBLE_EQ(links.done_at(0, longer, 5), 8);
  EXPECT_DOUBLE_EQ(links.busy(), 1) << "the shorter one is done";
  EXPECT_DOUBLE_EQ(links.width(), 1);
}

TEST(Links, ALinkWaitsForAsMuchOfEachOther) {
  Links links(3);
  links.start(1, 1, 0, 0);
  links.start(2, 9, 0, 0);
  EXPECT_DOUBLE_EQ(links.done(0, 3, 0), 7) << "3, 1 and 3";
}

TEST(Links, ATaskThatBeganHadItsData) {
  Links links(1);
  const StartedCopies copies = links.start(0, 8, 0, 0);
  links.began(0, copies, 0, 0, 2);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 2), 3);
}

TEST(Links, OneThatWaitedHadThemNoSooner) {
  Links links(1);
  const StartedCopies first = links.start(0, 2, 0, 0);
  links.start(0, 4, 0, 0);
  links.began(0, first, 1, 4, 5);  // it began at 4 instead of 2
  EXPECT_DOUBLE_EQ(links.done(0, 1, 5), 9) << "of the second 1 is copied and 3 are not";
}

TEST(Links, ButNotBeforeWhatOthersUsed) {
  Links links(1);
  const StartedCopies first = links.start(0, 2, 0, 0), second = links.start(0, 4, 0, 0);
  links.began(0, second, 0, 0, 6);
  links.began(0, first, 0, 6, 6);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 6), 7);
}

/// Copies of so many estimated seconds to each of two places, which are there as soon as a single one would be.
void copy_to_both(Links& links, double copy, double now) {
  const StartedCopies first = links.start(0, copy, 0, now), second = links.start(1, copy, 0, now);
  links.began(0, first, 0, 0, now + copy);
  links.began(1, second, 0, 0, now + copy);
}

TEST(Links, TheWayIsAsWideAsWhatWasCopiedSays) {
  Links links(2);
  copy_to_both(links, 10, 0);
  EXPECT_DOUBLE_EQ(links.width(), 2);
  links.start(0, 10, 0, 20);
  EXPECT_DOUBLE_EQ(links.done(1, 10, 20), 30) << "two links at once are no slower";
}

TEST(Links, OneThatCopiesAloneDoesNotShowTheWidth) {
  Links links(2);
  const StartedCopies alone = links.start(0, 10, 0, 0);
  links.began(0, alone, 0, 0, 10);
  EXPECT_DOUBLE_EQ(links.width(), 1);
  copy_to_both(links, 10, 20);
  EXPECT_DOUBLE_EQ(links.width(), 2);
}

TEST(Links, ATaskWithoutCopiesTellsNothing) {
  Links links(1);
  links.start(0, 8, 0, 0);
  links.began(0, {}, 0, 4, 4);
  EXPECT_DOUBLE_EQ(links.done(0, 1, 4), 9);
}

/// Tasks one after another, on links in turn, whose copies are estimated to take 1 s, from `now` on. Each is used
/// `took` seconds after its start by a worker that waits for it.
double copy_and_use(Links& links, int tasks, double took, double now) {
  for (int i = 0; i < tasks; ++i, now += took + 10) {
    const PlaceId place = i % 2 == 0 ? 0 : 1;
    const StartedCopies copies = links.start(place, 1, 0, now);
    links.began(place, copies, 0, took, now + took);
  }
  return now;
}

TEST(Links, CopiesThatTakeLongerAreExpectedTo) {
  Links links(2);
  double now = copy_and_use(links, 1, 4, 0);
  EXPECT_DOUBLE_EQ(links.done(0, 1, now), now + 1) << "one may have waited for something else";
  now = copy_and_use(links, 1, 4, now);
  EXPECT_DOUBLE_EQ(links.scale(), 4);
  EXPECT_DOUBLE_EQ(links.done(0, 1, now), now + 4);
}

TEST(Links, CopiesThatTakeLessAreExpectedTo) {
  Links links(2);
  double now = copy_and_use(links, 1, 0.25, 0);
  EXPECT_DOUBLE_EQ(links.scale(), 1);
  now = copy_and_use(links, 1, 0.25, now);
  EXPECT_DOUBLE_EQ(links.scale(), 0.25);
  EXPECT_DOUBLE_EQ(links.done(0, 1, now), now + 0.25);
}

TEST(Links, AfterOthersEightMustTakeLongerOrFourLess) {
  Links links(2);
  double now = copy_and_use(links, 8, 1, 0);
  now = copy_and_use(links, 7, 4, now);
  EXPECT_DOUBLE_EQ(links.scale(), 1);
  now = copy_and_use(links, 1, 4, now);
  EXPECT_DOUBLE_EQ(links.scale(), 4);
  now = copy_and_use(links, 3, 0.25, now);
  EXPECT_DOUBLE_EQ(links.scale(), 1);
  copy_and_use(links, 1, 0.25, now);
  EXPECT_DOUBLE_EQ(links.scale(), 0.25);
}

TEST(Links, MicrosecondsBetweenTasksAreNoWaitForShortCopies) {
  Links links(1);
  double now = 0;
  for (int i = 0; i < 8; ++i) {
    const StartedCopies copies = links.start(0, 4e-6, 0, now);
    now += 0.1;  // others run before
    links.began(0, copies, 0, 5e-6, now);
  }
  EXPECT_EQ(links.scale(), 1);
}

TEST(Links, OneMeasurementThatDoesNotAgreeIsEnoughAgainst) {
  Links links(2);
  double now = copy_and_use(links, 8, 4, 0);
  now = copy_and_use(links, 1, 1, now);
  EXPECT_DOUBLE_EQ(links.scale(), 1);
}

TEST(Links, WhatNobodyWaitedForWasNotLate) {
  Links links(1);
  for (double now = 0; now < 1000; now += 100) {
    const StartedCopies copies = links.start(0, 1, 0, now);
    links.began(0, copies, 0, 0, now + 50);
  }
  EXPECT_DOUBLE_EQ(links.scale(), 1);
}

TEST(Links, CopiesBehindOthersAreMeasuredFromWhenTheLinkCameToThem) {
  Links links(1);
  for (double now = 0; now < 400; now += 100) {
    const StartedCopies first = links.start(0, 1, 0, now), second = links.start(0, 1, 0, now);
    links.began(0, first, 0, 3, now + 3);
    links.began(0, second, 0, 3, now + 6);
  }
  EXPECT_DOUBLE_EQ(links.scale(), 3);
}

TEST(CopyScale, IsShortOnlyWhereEvenTheMostIs) {
  CopyScale scale;
  for (int i = 0; i < 4; ++i) scale.measured(0.25, 2);
  EXPECT_DOUBLE_EQ(scale.value(), 1) << "the bus may have been shared";
  for (int i = 0; i < 4; ++i) scale.measured(0.25, 0.5);
  EXPECT_DOUBLE_EQ(scale.value(), 0.5);
  for (int i = 0; i < 8; ++i) scale.measured(3, 4);
  EXPECT_DOUBLE_EQ(scale.value(), 3);
}

}  // namespace
}  // namespace starpath
