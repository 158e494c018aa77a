// Apex by hand: many short tasks. A worker gets several of them at once.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

/// Many that take two and a half microseconds anywhere, or half of one.
class ApexWithShortTasks : public ApexTest {
 protected:
  void queue(int tasks, const Task& what) {
    for (int i = 0; i < tasks; ++i) push(std::to_string(i), what);
  }
  std::string another(WorkerId worker) { return name_of(policy_.another(worker, now_)); }
  /// How many the worker gets at once.
  int batch(WorkerId worker) {
    int tasks = pop(worker).empty() ? 0 : 1;
    while (!another(worker).empty()) ++tasks;
    return tasks;
  }
  static constexpr double kMicrosecond = 1e-6;
  const Task short_{.cpu = 2.5 * kMicrosecond, .gpu = 2.5 * kMicrosecond, .workers = {kCpu}};
  const Task brief_{.cpu = kMicrosecond / 2, .gpu = kMicrosecond / 2};
};

TEST_F(ApexWithShortTasks, AWorkerGetsMoreUntilItHasTenMicrosecondsOfThem) {
  queue(100, short_);
  EXPECT_EQ(pop(kCpu), "0");
  for (int i = 1; i < 4; ++i) EXPECT_EQ(another(kCpu), std::to_string(i));
  EXPECT_EQ(another(kCpu), "");
  for (int i = 0; i < 4; ++i) finish(kCpu, std::to_string(i));
  EXPECT_EQ(pop(kCpu), "4");
  EXPECT_EQ(another(kCpu), "5");
}

TEST_F(ApexWithShortTasks, ButNotOfLongOnes) {
  queue(100, {.cpu = 20 * kMicrosecond, .workers = {kCpu}});
  EXPECT_EQ(pop(kCpu), "0");
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, NorOfThoseWithLongCopies) {
  queue(100, {.gpu = kMicrosecond, .copies = {0, 2e-5, 2e-5}, .workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "0");
  EXPECT_EQ(another(kGpu), "");
}

TEST_F(ApexWithShortTasks, NorWhenThereAreFew) {
  queue(40, short_);
  EXPECT_EQ(pop(kCpu), "0");
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, NorBeforeWhatHasNoEstimate) {
  queue(100, short_);
  push("unknown", {.known = false});
  EXPECT_EQ(pop(kCpu), "0");
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, NorWithoutATaskBefore) {
  queue(100, short_);
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, BriefOnesAreForWhoeverAsksByPriorityAndAge) {
  push("young and short", short_);
  push("first", brief_);
  push("urgent", {.cpu = kMicrosecond / 2, .gpu = kMicrosecond / 2, .priority = 1});
  push("second", brief_);
  EXPECT_EQ(pop(kGpu), "urgent");
  EXPECT_EQ(pop(kCpu), "young and short") << "older than the first brief one, on the core that it is planned for";
  EXPECT_EQ(pop(kOtherGpu), "first");
  EXPECT_EQ(pop(kGpu), "second");
  EXPECT_EQ(policy_.size(), 0U);
}

TEST_F(ApexWithShortTasks, AWorkerGetsMoreBriefOnesWhileSixteenAWorkerAreQueued) {
  queue(100, brief_);
  EXPECT_EQ(batch(kGpu), 53);
  EXPECT_EQ(policy_.size(), 47U);
  EXPECT_EQ(batch(kCpu), 1);
}

TEST_F(ApexWithShortTasks, BriefOnesAreTakenOneByOneWhereThereAreFewOrOthersWait) {
  queue(40, brief_);
  EXPECT_EQ(batch(kGpu), 1) << "few";
  queue(100, brief_);
  push("planned", {.cpu = 1, .gpu = 1});
  EXPECT_EQ(batch(kCpu), 1) << "beside a planned one";
}

TEST_F(ApexWithShortTasks, ABatchOfBriefOnesEndsBeforeWhatHasNoEstimate) {
  queue(5, brief_);
  push("unknown", {.known = false});
  queue(100, brief_);
  EXPECT_EQ(batch(kGpu), 5);
  EXPECT_EQ(pop(kCpu), "unknown");
}

TEST_F(ApexWithShortTasks, WhatIsSlowOrFarOrWaitedForIsPlanned) {
  policy_.set_outstanding({.seconds = 1});
  const std::vector<Task> planned = {{.cpu = 20 * kMicrosecond, .gpu = kMicrosecond / 2},
                                     {.cpu = 1, .gpu = kMicrosecond / 2, .copies = {1, 0, 1}},
                                     {.cpu = 1, .gpu = kMicrosecond / 2, .back = 20 * kMicrosecond},
                                     {.cpu = kMicrosecond / 2, .gpu = kMicrosecond / 2, .tail = 1}};
  push("brief", brief_);
  for (const Task& task : planned) {
    push("planned", task);
    EXPECT_FALSE(tasks_.back().brief);
    EXPECT_TRUE(tasks_.back().has_node);
  }
  EXPECT_TRUE(tasks_.front().brief);
  EXPECT_FALSE(tasks_.front().has_node);
}

}  // namespace
}  // namespace starpath
