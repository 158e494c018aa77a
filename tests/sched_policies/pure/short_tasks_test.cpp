// Which tasks are too short to be planned.
#include "sched_policies/core/short_tasks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath::test {
namespace {

constexpr double kQuick = 5e-6, kSlow = 1e-3;  // seconds of a task

void run(ShortTasks& tasks, const void* codelet, double seconds, int times, WorkerId worker = 0) {
  for (int i = 0; i < times; ++i) tasks.ran(worker, codelet, seconds);
}

TEST(ShortTasks, WhatDidNotRunYetIsNotShort) {
  ShortTasks tasks(1);
  const int one = 0, other = 0;
  EXPECT_FALSE(tasks.of(&one));
  run(tasks, &one, kQuick, 100);
  EXPECT_TRUE(tasks.of(&one));
  EXPECT_FALSE(tasks.of(&other));
}

TEST(ShortTasks, BetweenTheLimitsTheyAreWhatTheyWere) {
  ShortTasks tasks(1);
  const int one = 0;
  run(tasks, &one, 75e-6, 200);
  EXPECT_FALSE(tasks.of(&one));
  run(tasks, &one, kQuick, 200);
  EXPECT_TRUE(tasks.of(&one));
  run(tasks, &one, 75e-6, 200);
  EXPECT_TRUE(tasks.of(&one));
  run(tasks, &one, 150e-6, 200);
  EXPECT_FALSE(tasks.of(&one));
}

TEST(ShortTasks, AmongLongTasksNoneIsShort) {
  ShortTasks tasks(2);
  const int quick = 0, slow = 0;
  for (int i = 0; i < 200; ++i) {
    run(tasks, &quick, kQuick, 4, 0);
    run(tasks, &slow, kSlow, 4, 1);
  }
  EXPECT_FALSE(tasks.of(&quick));
  EXPECT_FALSE(tasks.of(&slow));
}

TEST(ShortTasks, LongTasksAreNotShortWhileOthersAre) {
  ShortTasks tasks(1);
  const int quick = 0, slow = 0;
  run(tasks, &slow, kSlow, 4);
  run(tasks, &quick, kQuick, 400);
  EXPECT_TRUE(tasks.of(&quick));
  EXPECT_FALSE(tasks.of(&slow));
}

TEST(ShortTasks, OneTaskThatTakesForEverChangesNothing) {
  ShortTasks tasks(1);
  const int one = 0;
  run(tasks, &one, kQuick, 400);
  run(tasks, &one, 100, 1);  // counted: the 401st
  EXPECT_TRUE(tasks.of(&one));
}

TEST(ShortTasks, TwoCodeletsInOnePlaceForgetEachOther) {
  ShortTasks tasks(1);
  const std::vector<int> codelets(1000);  // more than there are places
  for (const int& codelet : codelets) run(tasks, &codelet, kQuick, 40);
  int known = 0;
  for (const int& codelet : codelets) known += tasks.of(&codelet) ? 1 : 0;
  EXPECT_GT(known, 16);
  EXPECT_LE(known, 64);
  run(tasks, &codelets[0], kQuick, 40);
  EXPECT_TRUE(tasks.of(&codelets[0]));
}

}  // namespace
}  // namespace starpath::test
