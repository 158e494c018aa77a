// Apex by hand: when copies start, and what they and their memory count for.
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

TEST_F(ApexTest, CopiesStartWhenATaskIsPlanned) {
  push("task", {.cpu = 20, .gpu = 2, .copies = {0, 1, 2}});
  EXPECT_EQ(fetch(), "task to 1");
  EXPECT_EQ(pop(kGpu), "") << "its copies are being started";
  EXPECT_EQ(policy_.size(), 1U);
  hold();
  EXPECT_EQ(fetch(), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexTest, CopiesForTheLongestTailAreMadeFirstThenByPriority) {
  constexpr int highest = std::numeric_limits<int>::max();
  for (const bool stream : {false, true}) {
    policy_.set_outstanding({.seconds = 1000, .replaced = stream ? 1.0 : 0.0});
    std::vector<int> priorities;
    for (const auto& [tail, priority] :
         {std::pair{3.0, 5}, {4.0, -5}, {0.0, 7}, {std::numeric_limits<double>::infinity(), 0}}) {
      push("task", {.copies = {0, 1, 1}, .tail = tail, .priority = priority, .workers = {kGpu}});
      const Fetch next = policy_.fetch();
      ASSERT_NE(next.task, nullptr);
      policy_.hold(*next.task);
      priorities.push_back(next.priority);
    }
    if (stream) {
      EXPECT_EQ(priorities, (std::vector{5, -5, 7, 0}));
    } else {
      EXPECT_EQ(priorities[2], 7);
      EXPECT_GT(priorities[0], highest / 2);
      EXPECT_GT(priorities[1], priorities[0]);
      EXPECT_GT(priorities[3], priorities[1]);
    }
  }
}

TEST_F(ApexTest, WhatAWorkerWouldTakeNextIsCopiedWhileItIsBusy) {
  push("long", {.gpu = 100, .workers = {kOtherGpu}});
  EXPECT_EQ(pop(kOtherGpu), "long");
  for (const char* name : {"a", "b", "c", "d"})
    push(name, {.gpu = 10, .copies = {0, 0, 1}, .workers = {kGpu, kOtherGpu}});  // on the first GPU, by 40
  EXPECT_EQ(pop(kGpu), "a");
  now_ = 1;
  finish(kOtherGpu, "long");
  EXPECT_EQ(pop(kOtherGpu), "d");
  EXPECT_EQ(fetch(), "c to 2") << "it would end at 30 there, and at 22 here";
}

TEST_F(ApexTest, WhatNeedsNoCopyIsNotFetched) {
  push("task", {.cpu = 20, .gpu = 2});
  EXPECT_EQ(fetch(), "");
}

TEST_F(ApexTest, NoMoreIsFetchedThanHalfTheMemoryHolds) {
  const std::vector<WorkerId> gpu = {kGpu};
  for (const char* name : {"a", "b", "c"}) push(name, {.copies = {0, 1, 1}, .fills = 0.2, .workers = gpu});
  EXPECT_EQ(fetch(), "a to 1");
  hold();
  EXPECT_EQ(fetch(), "b to 1");
  hold();
  EXPECT_EQ(fetch(), "");
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(fetch(), "c to 1");
}

TEST_F(ApexTest, ATaskThatFillsTheMemoryIsFetchedAlone) {
  push("huge", {.copies = {0, 1, 1}, .fills = 3, .workers = {kGpu}});
  EXPECT_EQ(fetch(), "huge to 1");
}

TEST_F(ApexTest, CopiesDelayOthersWhereALinkCopies) {
  const Task task{.cpu = 11, .gpu = 2, .copies = {0, 2, 2}, .workers = {kCpu, kGpu}};
  push("first", task);  // there at 2, done at 4, and 2 for what uses the result
  EXPECT_EQ(fetch(), "first to 1");
  hold();
  push("second", task);  // there at 4, done at 6, and 8 for what it delays
  EXPECT_EQ(pop(kCpu), "second");
}

TEST_F(ApexTest, ForEachLinkThatCopies) {
  push("first", {.gpu = 1, .copies = {0, 4, 4}, .workers = {kGpu}});
  push("second", {.gpu = 1, .copies = {0, 4, 4}, .workers = {kOtherGpu}});
  while (!fetch().empty()) hold();
  push("third", {.cpu = 46, .gpu = 1, .copies = {0, 4, 4}, .workers = {kCpu, kGpu}});  // done at 13, and 32
  EXPECT_EQ(pop(kCpu), "");
  push("fourth", {.cpu = 44, .gpu = 1, .copies = {0, 4, 4}, .workers = {kCpu, kOtherGpu}});
  EXPECT_EQ(pop(kCpu), "fourth");
}

TEST_F(ApexTest, OnceWhereNoneCopies) {
  push("task", {.cpu = 7, .gpu = 2, .copies = {0, 2, 2}});  // done at 4, and 2 for what uses the result
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
  push("another", {.cpu = 5, .gpu = 2, .copies = {0, 2, 2}});
  EXPECT_EQ(pop(kCpu), "another");
}

TEST_F(ApexTest, OfPlacesWhereItEndsEquallySoonTheOneThatIsFreeFirst) {
  const Task task{.cpu = 99, .gpu = 1, .copies = {0, 4, 4}};
  push("first", task);
  EXPECT_EQ(fetch(), "first to 1");
  hold();
  push("second", task);  // there at 8: behind the other copy, or beside it at half the speed
  EXPECT_EQ(fetch(), "second to 2");
}

TEST_F(ApexTest, WhatHasToBeAllocatedFirstCounts) {
  push("task", {.cpu = 99, .gpu = 1, .copies = {0, 1, 1}, .allocation = {0, 3, 0}});
  EXPECT_EQ(fetch(), "task to 2");
}

TEST_F(ApexTest, WhatWaitsForMemoryShowsNothingOfALink) {
  for (const double allocation : {3.0, 0.0}) {
    for (const char* name : {"first", "second"}) {
      push(name, {.copies = {0, 1, 1}, .allocation = {0, allocation, allocation}, .workers = {kGpu}});
      EXPECT_EQ(pop(kGpu), name);
      now_ += 11;
      finish(kGpu, name, 1);
    }
    push("task", {.cpu = 6, .gpu = 1, .copies = {0, 1, 1}, .workers = {kCpu, kGpu}});
    EXPECT_EQ(pop(kCpu), allocation > 0 ? "" : "task") << "a copy takes 1, or ten times that";
    if (allocation > 0) {
      EXPECT_EQ(pop(kGpu), "task");
    }
    finish(kGpu, "task");
  }
}

TEST_F(ApexTest, WhatACoreReadsNeedsMainMemory) {
  push("task", {.cpu = 1, .gpu = 10, .copies = {1, 0, 99}, .allocation = {30}});
  EXPECT_EQ(fetch(), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexTest, InAStreamMainMemoryIsThere) {
  policy_.set_outstanding({.replaced = 1});
  push("task", {.cpu = 1, .gpu = 10, .copies = {1, 0, 99}, .allocation = {30}});
  EXPECT_EQ(fetch(), "task to 0");
}

TEST_F(ApexTest, WhenMuchMoreIsKnownAllButWhatIsCopiedIsPlannedAgain) {
  const Task task{.cpu = 99, .gpu = 1, .copies = {0, 1, 4}};
  for (const bool copied : {false, true}) {
    const std::string name = copied ? "copied" : "not copied";
    policy_.set_outstanding({.seconds = 1});
    push(name, task);
    if (copied) {
      EXPECT_EQ(fetch(), "copied to 1");
      hold();
    }
    policy_.bound(kGpu, &task, 30, now_);
    policy_.set_outstanding({.seconds = 10});
    EXPECT_EQ(pop(kCpu), "");
    EXPECT_EQ(fetch(), copied ? "" : "not copied to 2");
    if (!copied) hold();
    policy_.finished(kGpu, &task, now_, std::nullopt);
    EXPECT_EQ(pop(copied ? kGpu : kOtherGpu), name);
    finish(copied ? kGpu : kOtherGpu, name);
  }
}

TEST_F(ApexTest, CopiesToAPlaceFollowEachOther) {
  const Task task{.cpu = 23, .gpu = 1, .copies = {0, 4, 4}, .workers = {kCpu, kGpu}};
  push("first", task);  // there at 4, done at 5, and 4 for what uses the result
  EXPECT_EQ(fetch(), "first to 1");
  hold();
  push("second", task);  // there at 8, done at 9, and 16 for what it delays
  EXPECT_EQ(fetch(), "");
  EXPECT_EQ(pop(kGpu), "first");
  EXPECT_EQ(pop(kCpu), "second");
}

TEST_F(ApexTest, StartedOrNot) {
  const Task task{.cpu = 11, .gpu = 1, .copies = {0, 4, 4}, .workers = {kCpu, kGpu}};
  push("first", task);   // there at 4, done at 5, and 4 for what uses the result
  push("second", task);  // there at 8, done at 9, and 4
  EXPECT_EQ(pop(kCpu), "second");
}

TEST_F(ApexTest, WhatWasFetchedCostsNoCopyThere) {
  push("first", {.cpu = 100, .gpu = 10});
  EXPECT_EQ(pop(kGpu), "first");
  push("second", {.cpu = 100, .gpu = 10, .copies = {0, 0, 20}});
  push("task", {.cpu = 100, .gpu = 10, .copies = {0, 1, 30}});
  EXPECT_EQ(fetch(), "task to 1");
  hold();
  EXPECT_EQ(pop(kOtherGpu), "") << "40 and a copy again is not before 30";
}

TEST_F(ApexTest, ResultsThatNoKnownTaskUsesAreCopiedHome) {
  push("used", {.cpu = 9, .gpu = 2, .copies = {0, 1, 1}, .back = 1, .tail = 1});  // done at 3, and 4
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "used");
  push("last", {.cpu = 15, .gpu = 2, .copies = {0, 2, 2}, .back = 1});  // done at 5, and 12; without results 13
  EXPECT_EQ(pop(kCpu), "last");
}

}  // namespace
}  // namespace starpath
