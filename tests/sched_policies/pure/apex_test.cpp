// Apex by hand: what a worker takes, what it leaves, what it reserves.
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

TEST_F(ApexTest, EachTakesWhatSuitsItBest) {
  push("even", {.cpu = 2, .gpu = 1});
  push("fast", {.cpu = 20, .gpu = 1});
  push("even2", {.cpu = 2, .gpu = 1});
  EXPECT_EQ(pop(kGpu), "fast");
  EXPECT_EQ(pop(kCpu), "");  // 2 s, and the other GPU is done with the first after 1
  EXPECT_EQ(pop(kOtherGpu), "even");
  EXPECT_EQ(pop(kCpu), "even2");  // no GPU would be done with it before 2
}

TEST_F(ApexTest, ATaskIsLeftToWhoWouldFinishItSooner) {
  push("first", {.cpu = 20, .gpu = 2});
  push("second", {.cpu = 20, .gpu = 2});
  push("third", {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "first");
  EXPECT_EQ(pop(kCpu), "");  // 20 s, and the other GPU is done with it after 2
  EXPECT_EQ(pop(kOtherGpu), "second");
  EXPECT_EQ(pop(kCpu), "");  // after 4
  now_ = 2;
  finish(kGpu, "first");
  EXPECT_EQ(pop(kGpu), "third");
}

TEST_F(ApexTest, ATaskIsNotLeftForMuchLongerThanExpected) {
  for (const char* name : {"first", "second", "third"}) push(name, {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "first");
  EXPECT_EQ(pop(kOtherGpu), "second");
  policy_.set_outstanding({.seconds = 4});
  EXPECT_EQ(pop(kCpu), "");  // a GPU is to be done with it after 4, and with all there is
  policy_.set_outstanding({.seconds = 2});
  now_ = 31.9;
  EXPECT_EQ(pop(kCpu), "");
  now_ = 32.1;  // and neither has even begun
  EXPECT_EQ(pop(kCpu), "third");
}

TEST_F(ApexTest, WhereEstimatesWereWrongATaskMustPromiseMore) {
  const auto chances = [&](double ran) {
    for (int i = 0; i < 64; ++i) {
      push("only core", {.cpu = 1e-3, .workers = {kCpu}});  // no task like it
      EXPECT_EQ(pop(kCpu), "only core");
      now_ += 1e-3;
      finish(kCpu, "only core", 1e-3 * (i % 2 == 0 ? ran : 1 / ran));
    }
    push("held", {.gpu = 5, .workers = {kGpu}});
    push("held too", {.gpu = 5, .workers = {kOtherGpu}});
    EXPECT_EQ(pop(kGpu), "held");
    EXPECT_EQ(pop(kOtherGpu), "held too");
    push("task", {.cpu = 5.5, .gpu = 1});  // a GPU is done with it after 6
    const std::string taken = pop(kCpu);
    now_ += 100;
    if (taken.empty()) {
      EXPECT_EQ(pop(kCpu), "task");  // nobody waits for ever
    }
    finish(kCpu, "task");
    finish(kGpu, "held");
    finish(kOtherGpu, "held too");
    return taken;
  };
  EXPECT_EQ(chances(1), "task");
  EXPECT_EQ(chances(1.5), "");
  EXPECT_EQ(chances(1), "task");  // only the last 64 runs count
}

TEST_F(ApexTest, WhoMayNotRunATaskIsNoReasonToLeaveIt) {
  push("long", {.cpu = 200, .gpu = 100, .workers = {kOtherGpu}});
  EXPECT_EQ(pop(kOtherGpu), "long");
  push("task", {.cpu = 20, .gpu = 2, .workers = {kCpu, kOtherGpu}});
  EXPECT_EQ(pop(kGpu), "");
  EXPECT_EQ(pop(kCpu), "task");
}

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

TEST_F(ApexTest, WithEnoughQueuedTheSlowHelpToo) {
  for (int i = 0; i < 30; ++i) push("task" + std::to_string(i), {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "task0");
  EXPECT_EQ(pop(kCpu), "task1");
}

class ApexOnTwoModels : public ApexTest {
 protected:
  ApexOnTwoModels() : ApexTest(des::machine(1, {1, 1})) {}
};

TEST_F(ApexOnTwoModels, WhoIsFreeSoonDoesNotDoAllThatIsQueued) {
  for (int i = 0; i < 40; ++i) push("task" + std::to_string(i), {.cpu = 20, .gpu = 1, .slow = 2});
  EXPECT_EQ(pop(kGpu), "task0");
  EXPECT_EQ(pop(kOtherGpu), "task1");
  EXPECT_EQ(pop(kCpu), "task2");  // the others need 25 s for all
  EXPECT_EQ(pop(kGpu), "task3");
}

class ApexOnManyCores : public ApexTest {
 protected:
  ApexOnManyCores() : ApexTest(des::machine(8, {1})) {}
};

TEST_F(ApexOnManyCores, ThatItsOwnClassHelpsIsNoReasonToLeaveATask) {
  std::vector<WorkerId> workers;
  for (WorkerId worker = 0; worker < 9; ++worker) workers.push_back(worker);
  for (int i = 0; i < 9; ++i) push("task" + std::to_string(i), {.cpu = 5, .gpu = 1, .workers = workers});
  EXPECT_EQ(pop(8), "task0");
  EXPECT_EQ(pop(0), "task1");  // 5 s; together they could do all in 3.5, if cores could share a task
}

TEST_F(ApexTest, WithoutPricesACoreTakesIt) {
  for (int i = 0; i < 300; ++i) push("of many " + std::to_string(i), {.cpu = 50, .gpu = 0.5});
  policy_.set_outstanding({.seconds = 1000});
  EXPECT_EQ(pop(kGpu), "of many 0");
  EXPECT_EQ(pop(kOtherGpu), "of many 1");
  EXPECT_EQ(pop(kCpu), "of many 2");
}

TEST_F(ApexTest, OfWhatSuitsItBestTheLongestChainGoesFirst) {
  push("alone", {.cpu = 20, .gpu = 2});
  push("awaited", {.cpu = 20, .gpu = 2, .tail = 3});
  push("awaited more", {.cpu = 20, .gpu = 2, .tail = 5});
  policy_.set_outstanding({.seconds = 1000});  // nothing is critical
  EXPECT_EQ(pop(kGpu), "awaited more");
  EXPECT_EQ(pop(kOtherGpu), "awaited");
}

TEST_F(ApexTest, CopiesCountOnBothSides) {
  push("there", {.cpu = 20, .gpu = 2, .copies = {1, 0, 3}});
  push("here", {.cpu = 20, .gpu = 2, .copies = {1, 3, 0}});
  EXPECT_EQ(pop(kOtherGpu), "here");
  EXPECT_EQ(pop(kGpu), "there");
}

TEST_F(ApexTest, ACriticalTaskGoesFirst) {
  push("long chain", {.cpu = 4, .gpu = 2, .tail = 50});
  push("suits well", {.cpu = 60, .gpu = 2});
  policy_.set_outstanding({.seconds = 10});
  EXPECT_EQ(pop(kGpu), "long chain");
  EXPECT_EQ(pop(kOtherGpu), "suits well");
}

TEST_F(ApexTest, HoweverLongTheProgramHasRun) {
  push("at work", {.cpu = 60, .gpu = 2});
  policy_.set_outstanding({.seconds = 10, .replaced = 1});
  EXPECT_EQ(pop(kOtherGpu), "at work");
  push("long chain", {.cpu = 4, .gpu = 2, .tail = 50});
  push("suits well", {.cpu = 60, .gpu = 2});
  now_ = 1000;
  EXPECT_EQ(pop(kGpu), "long chain");  // half of the horizon: another such chain is expected, but no tenth of 1000
}

TEST_F(ApexTest, BesideMuchOtherWorkItDoesNot) {
  push("chain", {.cpu = 4, .gpu = 2, .tail = 50});
  push("suits well", {.cpu = 60, .gpu = 2});
  policy_.set_outstanding({.seconds = 1000});
  EXPECT_EQ(pop(kGpu), "suits well");
}

TEST_F(ApexTest, ATailIsLearntLate) {
  push("first", {.cpu = 20, .gpu = 2});
  push("second", {.cpu = 20, .gpu = 2});
  policy_.set_tail(tasks_[1], 50);
  EXPECT_EQ(pop(kGpu), "second");
}

TEST_F(ApexTest, OnlyWhatHasToBeCopiedIsReserved) {
  push("running", {.cpu = 20, .gpu = 2});
  push("other", {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "running");
  EXPECT_EQ(pop(kOtherGpu), "other");
  push("here", {.cpu = 20, .gpu = 2, .copies = {0, 0, 1}});
  EXPECT_EQ(reserve(kGpu), "");
  now_ = 2;
  finish(kGpu, "running");
  finish(kOtherGpu, "other");
  EXPECT_EQ(pop(kGpu), "here");
  push("away", {.cpu = 20, .gpu = 2, .copies = {0, 1, 1}});
  push("away too", {.cpu = 20, .gpu = 2, .copies = {0, 1, 1}});
  EXPECT_EQ(pop(kOtherGpu), "away");
  EXPECT_EQ(reserve(kOtherGpu), "away too");
  hold(kOtherGpu);
  EXPECT_EQ(reserve(kOtherGpu), "");  // one is enough
  EXPECT_EQ(policy_.size(), 1U);
  EXPECT_EQ(pop(kOtherGpu), "away too");
}

TEST_F(ApexTest, AReservedTaskIsTakenByWhoWouldFinishItSooner) {
  push("long", {.cpu = 400, .gpu = 20});
  push("longer", {.cpu = 400, .gpu = 30});
  EXPECT_EQ(pop(kGpu), "long");
  EXPECT_EQ(pop(kOtherGpu), "longer");
  push("kept", {.cpu = 60, .gpu = 2, .copies = {0, 1, 1}});
  EXPECT_EQ(reserve(kGpu), "kept");
  now_ = 1;
  finish(kOtherGpu, "longer");    // much earlier than expected
  EXPECT_EQ(pop(kOtherGpu), "");  // its copies are being started
  hold(kGpu);
  EXPECT_EQ(pop(kCpu), "");           // after 61, its owner after 22
  EXPECT_EQ(pop(kOtherGpu), "kept");  // after 4
  EXPECT_EQ(pop(kGpu), "");
  EXPECT_EQ(policy_.size(), 0U);
}

/// A GPU at work holds a task, and 10 s of others wait for that; another task came. The second GPU may run neither.
class ApexThatHoldsATask : public ApexTest {
 protected:
  void hold_and_push(double tail) {
    push("at work", {.gpu = 2, .tail = 20, .workers = {kGpu}});
    EXPECT_EQ(pop(kGpu), "at work");
    push("held", {.cpu = 20, .gpu = 2, .copies = {0, 1, 1}, .tail = 10, .workers = {kCpu, kGpu}});
    EXPECT_EQ(reserve(kGpu), "held");
    hold(kGpu);
    push("came", {.cpu = 20, .gpu = 2, .tail = tail, .workers = {kCpu, kGpu}});
    now_ = 2;
    finish(kGpu, "at work");
  }
};

TEST_F(ApexThatHoldsATask, MoreWaitsForWhatCame) {
  hold_and_push(15);
  EXPECT_EQ(pop(kGpu), "came");
  EXPECT_EQ(pop(kGpu), "held");
}

TEST_F(ApexThatHoldsATask, LessWaitsForWhatCame) {
  hold_and_push(9);
  EXPECT_EQ(pop(kGpu), "held");
}

TEST_F(ApexThatHoldsATask, ChainsAreShortBesideTheRest) {
  hold_and_push(15);
  policy_.set_outstanding({.seconds = 1000});
  EXPECT_EQ(pop(kGpu), "held");
}

TEST_F(ApexThatHoldsATask, ItIsNotOvertakenForEver) {
  hold_and_push(15);
  EXPECT_EQ(pop(kGpu), "came");
  push("next", {.cpu = 20, .gpu = 2, .tail = 15, .workers = {kCpu, kGpu}});
  now_ = 1000;
  EXPECT_EQ(pop(kGpu), "held");
}

TEST_F(ApexTest, WhatAWorkerThatLeavesHadReservedIsQueuedAgain) {
  push("running", {.cpu = 20, .gpu = 2});
  push("kept", {.cpu = 20, .gpu = 2, .copies = {0, 1, 5}});
  EXPECT_EQ(pop(kGpu), "running");
  EXPECT_EQ(reserve(kGpu), "kept");
  policy_.set_present(kGpu, false);
  EXPECT_EQ(pop(kOtherGpu), "");  // its copies are being started
  hold(kGpu);
  EXPECT_EQ(pop(kOtherGpu), "kept");
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
