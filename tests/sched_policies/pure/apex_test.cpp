// Apex by hand: refusals, tasks without estimates, ties, several short tasks at once.
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

TEST_F(ApexTest, WhoLeavesATaskNamesAnIdleWorkerThatShouldLook) {
  push("task", {.cpu = 20, .gpu = 2, .copies = {0, 1, 9}});
  push("busy", {.cpu = 1, .gpu = 100});
  EXPECT_EQ(pop(kCpu), "busy");
  const Decision decision = policy_.pop(kOtherGpu, 0);
  EXPECT_EQ(decision.task, nullptr);
  EXPECT_EQ(decision.in_favour_of, kGpu);
  EXPECT_GT(decision.until, 0);
}

TEST_F(ApexTest, WithNobodyAtWorkWhoAsksGetsATaskInTheEnd) {
  push("task", {.cpu = 20, .gpu = 2});
  std::string got;
  for (int i = 0; i < 10 && got.empty(); ++i) got = pop(kCpu);
  EXPECT_EQ(got, "task");
}

/// The best place's worker never asks, as one that StarPU keeps busy otherwise; the others have asked once more than
/// there are workers.
class ApexWithoutTheBest : public ApexTest {
 protected:
  void SetUp() override {
    push("task", {.cpu = 20, .gpu = 2, .copies = {0, 0, 1}});
    EXPECT_EQ(policy_.pop(kOtherGpu, now_).in_favour_of, kGpu);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(policy_.pop(kCpu, now_).in_favour_of, kGpu);
  }
};

TEST_F(ApexWithoutTheBest, TheNextBestTakesIt) { EXPECT_EQ(pop(kOtherGpu), "task"); }

TEST_F(ApexWithoutTheBest, WhoIsWorseNamesTheNextBest) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(policy_.pop(kCpu, now_).in_favour_of, kOtherGpu);
  EXPECT_EQ(pop(kCpu), "task");  // nobody came
}

TEST_F(ApexWithoutTheBest, WhenATaskComesAllCountAnew) {
  push("another", {.cpu = 20, .gpu = 2, .copies = {0, 0, 1}});
  EXPECT_EQ(pop(kOtherGpu), "");
}

TEST_F(ApexTest, ATailIsLearntLate) {
  push("first", {.cpu = 20, .gpu = 2});
  push("second", {.cpu = 20, .gpu = 2});
  policy_.set_tail(tasks_[1], 50);
  EXPECT_EQ(pop(kGpu), "second");
}

TEST_F(ApexTest, WithoutEstimatesTheHigherPriorityThenTheOlder) {
  push("a", {.known = false});
  push("b", {.known = false});
  push("c", {.priority = 1, .known = false});
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(pop(kCpu), "a");
  EXPECT_EQ(pop(kGpu), "b");
}

TEST_F(ApexTest, AmongEqualsTheHigherPriorityThenTheOlder) {
  for (const char* name : {"a", "b"}) push(name, {.cpu = 20, .gpu = 2});
  push("c", {.cpu = 20, .gpu = 2, .priority = 1});
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(pop(kOtherGpu), "a");
  now_ = 2;
  finish(kGpu, "c");
  EXPECT_EQ(pop(kGpu), "b");
}

/// Many that take a microsecond anywhere.
class ApexWithShortTasks : public ApexTest {
 protected:
  void queue(int tasks, const Task& what) {
    for (int i = 0; i < tasks; ++i) push(std::to_string(i), what);
  }
  std::string another(WorkerId worker) { return name_of(policy_.another(worker, now_)); }
  static constexpr double kMicrosecond = 1e-6;
  const Task short_{.cpu = kMicrosecond, .gpu = kMicrosecond};
};

TEST_F(ApexWithShortTasks, AWorkerGetsMoreUntilItHasTenMicrosecondsOfThem) {
  queue(100, short_);
  EXPECT_EQ(pop(kCpu), "0");
  for (int i = 1; i < 10; ++i) EXPECT_EQ(another(kCpu), std::to_string(i));
  EXPECT_EQ(another(kCpu), "");
  for (int i = 0; i < 10; ++i) finish(kCpu, std::to_string(i));
  EXPECT_EQ(pop(kCpu), "10");
  EXPECT_EQ(another(kCpu), "11");
}

TEST_F(ApexWithShortTasks, ButNotOfLongOnes) {
  queue(100, {.cpu = 20 * kMicrosecond, .gpu = 20 * kMicrosecond});
  EXPECT_EQ(pop(kCpu), "0");
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, NorOfThoseWithLongCopies) {
  queue(100, {.cpu = 1, .gpu = kMicrosecond, .copies = {0, 2e-5, 2e-5}});
  EXPECT_EQ(pop(kGpu), "0");
  EXPECT_EQ(another(kGpu), "");
}

TEST_F(ApexWithShortTasks, NorWhenThereAreFew) {
  queue(40, short_);
  EXPECT_EQ(pop(kCpu), "0");
  EXPECT_EQ(another(kCpu), "");
}

TEST_F(ApexWithShortTasks, NorOfAnotherKind) {
  push("odd", {.cpu = 2 * kMicrosecond, .gpu = 20 * kMicrosecond, .tail = 1});
  queue(100, short_);
  EXPECT_EQ(pop(kCpu), "odd");
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

}  // namespace
}  // namespace starpath
