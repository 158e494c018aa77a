// Apex by hand: who gets what, refusals, tasks without estimates, prices.
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

TEST_F(ApexTest, ATaskIsPlannedWhereItEndsSoonest) {
  push("task", {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexTest, TheQueueThereCounts) {
  for (const char* name : {"a", "b", "c", "d"}) push(name, {.cpu = 5, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(pop(kOtherGpu), "b");
  EXPECT_EQ(pop(kCpu), "");  // both end at 4 on the GPUs
  push("e", {.cpu = 5, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "e") << "at 5, and not at 6";
}

TEST_F(ApexTest, ButForALongChainNotWhatCanWaitUntilAllKnownWorkIsDone) {
  const Task queued{.gpu = 30, .workers = {kGpu}}, chain{.cpu = 10, .gpu = 2, .tail = 150, .workers = {kCpu, kGpu}};
  policy_.set_outstanding({.seconds = 100});
  Task waits = queued;
  waits.tail = 49;  // from 100 on: all is done at 149
  push("waits", waits);
  push("chain", chain);
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "chain");
  Task cannot_wait = queued;
  cannot_wait.tail = 51;
  push("cannot wait", cannot_wait);
  push("another chain", chain);
  EXPECT_EQ(pop(kCpu), "another chain");
}

TEST_F(ApexTest, WhatTheApplicationBindsToAWorkerCountsUntilItEnds) {
  const int bound = 0;
  policy_.bound(kGpu, &bound, 5, now_);
  push("a", {.cpu = 4, .gpu = 1, .workers = {kCpu, kGpu}});
  EXPECT_EQ(pop(kCpu), "a");
  policy_.finished(kGpu, &bound, now_, std::nullopt);
  push("b", {.cpu = 4, .gpu = 1, .workers = {kCpu, kGpu}});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "b");
}

TEST_F(ApexTest, WhoWouldFinishATaskSoonerTakesIt) {
  for (const char* name : {"a", "b", "c", "d"}) push(name, {.cpu = 9, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "a");
  now_ = 100;
  finish(kGpu, "a");
  EXPECT_EQ(pop(kGpu), "c");
  now_ = 102;
  finish(kGpu, "c");
  EXPECT_EQ(pop(kGpu), "d") << "the last of what the other GPU has not begun for long";
}

TEST_F(ApexTest, OfTheTasksElsewhereTheOneThatSuitsBest) {
  push("busy", {.cpu = 100, .gpu = 50});
  EXPECT_EQ(pop(kGpu), "busy");
  push("also", {.cpu = 100, .gpu = 50});
  EXPECT_EQ(pop(kOtherGpu), "also");
  push("for a GPU", {.cpu = 40, .gpu = 2, .workers = {kGpu, kOtherGpu}});
  push("fast", {.cpu = 70, .gpu = 6});
  push("even", {.cpu = 55, .gpu = 9});
  now_ = 1;
  EXPECT_EQ(pop(kCpu), "even");
}

TEST_F(ApexTest, TheLongestChainGoesFirst) {
  const std::vector<WorkerId> gpu = {kGpu};
  push("nothing waits", {.workers = gpu});
  push("short", {.tail = 1, .workers = gpu});
  push("long", {.tail = 50, .workers = gpu});
  EXPECT_EQ(pop(kGpu), "long");
  EXPECT_EQ(pop(kGpu), "short");
}

TEST_F(ApexTest, ChainsThatAreShortBesideAllWorkGoInTheOrderOfSubmission) {
  const std::vector<WorkerId> gpu = {kGpu};
  policy_.set_outstanding({.seconds = 1000});
  push("longer", {.tail = 60, .position = 2, .workers = gpu});
  push("first", {.tail = 1, .position = 1, .workers = gpu});
  push("last", {.tail = 1, .position = 3, .workers = gpu});
  push("critical", {.tail = 600, .position = 4, .workers = gpu});
  EXPECT_EQ(pop(kGpu), "critical");
  EXPECT_EQ(pop(kGpu), "first");
  policy_.set_outstanding({.seconds = 100});
  push("another", {.tail = 1, .position = 0, .workers = gpu});  // the rest is planned again: less than half is left
  EXPECT_EQ(pop(kGpu), "longer");
  EXPECT_EQ(pop(kGpu), "another");
  EXPECT_EQ(pop(kGpu), "last");
}

class ApexOnCores : public ApexTest {
 protected:
  ApexOnCores() : ApexTest(des::machine(2, {})) {}
  static constexpr WorkerId kOtherCpu = 1;
};

TEST_F(ApexOnCores, CriticalChainsThenPriorityThenUpwardRankThenAge) {
  policy_.set_outstanding({.seconds = 100});
  const std::vector<WorkerId> cores = {kCpu, kOtherCpu};
  push("old", {.cpu = 1, .workers = cores});
  push("older than its like", {.cpu = 4, .workers = cores});
  push("like", {.cpu = 4, .workers = cores});
  push("chain", {.cpu = 1, .tail = 40, .workers = cores});
  push("wanted", {.cpu = 1, .priority = 1, .workers = cores});
  push("critical", {.cpu = 1, .tail = 60, .workers = cores});
  for (const char* const next : {"critical", "wanted", "chain", "older than its like", "like", "old"})
    EXPECT_EQ(pop(kOtherCpu), next);
}

TEST_F(ApexOnCores, ATailThatIsLearntLateMovesATaskAndOthersStay) {
  policy_.set_outstanding({.seconds = 100});
  const std::vector<WorkerId> cores = {kCpu, kOtherCpu};
  for (const char* const name : {"first", "second", "third"}) push(name, {.cpu = 1, .tail = 10, .workers = cores});
  policy_.set_tail(tasks_[1], 10 + 1e-9, 0);  // too little to tell apart
  policy_.set_tail(tasks_[2], 20, 0);
  for (const char* const next : {"third", "first", "second"}) EXPECT_EQ(pop(kCpu), next);
}

TEST_F(ApexOnCores, AStreamGoesByPriorityAndAge) {
  policy_.set_outstanding({.seconds = 100, .replaced = 1});
  const std::vector<WorkerId> cores = {kCpu, kOtherCpu};
  push("old", {.cpu = 1, .workers = cores});
  push("chain", {.cpu = 9, .tail = 60, .workers = cores});
  push("wanted", {.cpu = 1, .priority = 1, .workers = cores});
  for (const char* const next : {"wanted", "old", "chain"}) EXPECT_EQ(pop(kCpu), next);
}

TEST_F(ApexTest, ATailIsLearntLate) {
  push("first", {.workers = {kGpu}});
  push("second", {.workers = {kGpu}});
  policy_.set_tail(tasks_[1], 50, 0);
  EXPECT_EQ(pop(kGpu), "second");
}

TEST_F(ApexTest, AmongEqualsTheHigherPriorityThenTheOlder) {
  const std::vector<WorkerId> gpu = {kGpu};
  for (const char* name : {"a", "b"}) push(name, {.workers = gpu});
  push("c", {.priority = 1, .workers = gpu});
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(pop(kGpu), "b");
}

TEST_F(ApexTest, WhoLeavesATaskNamesTheIdleWorkerThatHasIt) {
  push("task", {.cpu = 20, .gpu = 2, .copies = {0, 0, 9}});
  const Decision decision = policy_.pop(kOtherGpu, 0);
  EXPECT_EQ(decision.task, nullptr);
  EXPECT_EQ(decision.in_favour_of, kGpu);
  EXPECT_TRUE(decision.nobody_works);
  EXPECT_GT(decision.until, 0);
}

TEST_F(ApexTest, OneWhoIsCalledAndDoesNotComeIsNotWaitedFor) {
  push("task", {.cpu = 20, .gpu = 2});
  std::string got;
  for (now_ = 0; now_ < 60 && got.empty(); ++now_) got = pop(kCpu);
  EXPECT_EQ(got, "task");
  EXPECT_GT(now_, 10);
}

TEST_F(ApexTest, OneWhoseTaskDoesNotEndIsNotWaitedFor) {
  push("endless", {.cpu = 200, .gpu = 1, .workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "endless");
  push("a", {.cpu = 20, .gpu = 1, .workers = {kCpu, kGpu}});
  push("b", {.cpu = 20, .gpu = 1, .workers = {kCpu, kGpu}});
  EXPECT_EQ(pop(kCpu), "");
  now_ = 30;
  EXPECT_EQ(pop(kCpu), "b") << "a worker that is late by 29 counts as busy for 29 more";
  finish(kCpu, "b");
  EXPECT_EQ(pop(kCpu), "a");
}

TEST_F(ApexTest, WhatIsPlannedForAWorkerThatLeavesGoesToTheOthers) {
  push("a", {.cpu = 20, .gpu = 2});
  push("b", {.cpu = 20, .gpu = 2});
  policy_.set_present(kGpu, false);
  EXPECT_EQ(pop(kOtherGpu), "a");
  EXPECT_EQ(pop(kOtherGpu), "b");
}

TEST_F(ApexTest, WithoutAnyWorkerTasksWaitForOneThatComes) {
  for (const WorkerId worker : {kCpu, kGpu, kOtherGpu}) policy_.set_present(worker, false);
  push("task", {.cpu = 20, .gpu = 2});
  policy_.set_present(kOtherGpu, true);
  EXPECT_EQ(pop(kOtherGpu), "task");
}

TEST_F(ApexTest, TasksThatNobodyCanRunNowDoNotKeepOthersFromAPlace) {
  policy_.set_present(kOtherGpu, false);
  for (const char* name : {"a", "b"}) push(name, {.gpu = 1, .workers = {kOtherGpu}});
  push("for a core", {.cpu = 1, .gpu = 50});
  EXPECT_EQ(pop(kGpu), "");
  EXPECT_EQ(pop(kCpu), "for a core");
  policy_.set_present(kOtherGpu, true);
  EXPECT_EQ(pop(kOtherGpu), "a");
}

TEST_F(ApexTest, NobodyWaitsForWhatAWorkerThatLeavesHadToFinish) {
  push("task", {.cpu = 20, .gpu = 2});
  EXPECT_EQ(pop(kGpu), "task");
  policy_.set_present(kGpu, false);
  EXPECT_TRUE(policy_.pop(kCpu, 0).nobody_works);
}

TEST_F(ApexTest, WithoutEstimatesTheHigherPriorityThenTheOlder) {
  push("a", {.known = false});
  push("b", {.known = false});
  push("c", {.priority = 1, .known = false});
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(pop(kCpu), "a");
  EXPECT_EQ(pop(kGpu), "b");
}

TEST_F(ApexTest, TasksThatTakeNoTimeAreRunToo) {
  for (const char* name : {"a", "b"}) push(name, {.cpu = 0, .gpu = 0});
  int ran = 0;
  for (int i = 0; i < 10; ++i) {
    for (const WorkerId worker : {kCpu, kGpu, kOtherGpu}) ran += !pop(worker).empty();
  }
  EXPECT_EQ(ran, 2);
}

TEST_F(ApexTest, EstimatesThatAreWrongByAMillionLeaveNothing) {
  push("a", {.cpu = 1e6, .gpu = 1e-6});
  push("b", {.cpu = 1e-6, .gpu = 1e6});
  int ran = 0;
  for (int i = 0; i < 10; ++i) {
    for (const WorkerId worker : {kCpu, kGpu, kOtherGpu}) ran += !pop(worker).empty();
  }
  EXPECT_EQ(ran, 2);
}

// Prices: ApexWithPrices knows work for 1000 s, by which a core costs about a fifteenth of a GPU.

TEST_F(ApexWithPrices, WhatBelongsOnCoresIsPlannedThere) {
  push("task", {.cpu = 10, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "task");
}

TEST_F(ApexWithPrices, UnlessItWouldBeLateThere) {
  policy_.set_outstanding({.seconds = 5});
  push("task", {.cpu = 10, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexWithPrices, OrTheMachineWouldComeToWhatWaitsForIt) {
  WorkByUpwardRank waiting;
  policy_.set_outstanding({.seconds = 1000, .waiting = &waiting});
  push("task", {.cpu = 10, .gpu = 2, .tail = 3});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexWithPrices, OrItsChainIsLongerThanAllWork) {
  WorkByUpwardRank waiting;
  waiting.add(WorkByUpwardRank::level(100), 50);
  policy_.set_outstanding({.seconds = 20, .waiting = &waiting});
  push("task", {.cpu = 10, .gpu = 2, .tail = 30});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexWithPrices, AfterMuchThatIsMoreUrgentItIsNot) {
  WorkByUpwardRank waiting;
  waiting.add(WorkByUpwardRank::level(100), 50);
  policy_.set_outstanding({.seconds = 1000, .waiting = &waiting});
  push("task", {.cpu = 10, .gpu = 2, .tail = 3});
  EXPECT_EQ(pop(kCpu), "task");
}

TEST_F(ApexWithPrices, WhileWorkIsReplacedNoChainIsLate) {
  policy_.set_outstanding({.seconds = 20, .replaced = 1});
  push("task", {.cpu = 10, .gpu = 2, .tail = 30});
  EXPECT_EQ(pop(kCpu), "task");
}

TEST_F(ApexWithPrices, ThenATaskIsLateOnceTheKnownWorkEnds) {
  policy_.set_outstanding({.seconds = 5, .replaced = 1});
  push("task", {.cpu = 10, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "task");
}

TEST_F(ApexWithPrices, AnIdleCoreTakesWhatItFinishesSoonerHoweverDear) {
  const std::vector<WorkerId> one_gpu = {kCpu, kGpu};
  for (int i = 0; i < 40; ++i) push(std::to_string(i), {.cpu = 50, .gpu = 1, .workers = one_gpu});
  EXPECT_EQ(pop(kCpu), "") << "the GPU ends after 40 s";
  for (int i = 40; i < 80; ++i) push(std::to_string(i), {.cpu = 50, .gpu = 1, .workers = one_gpu});
  EXPECT_NE(pop(kCpu), "") << "the GPU ends after 80 s";
}

TEST_F(ApexWithPrices, WhileLinksDecideAGpuIsCheap) {
  push("before", {.cpu = 10, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "before") << "it belongs on the core";
  finish(kCpu, "before");
  for (int i = 0; i < 60; ++i)
    push(std::to_string(i), {.cpu = 3, .gpu = 0.1, .copies = {0, 50, 50}, .workers = {kOtherGpu}});
  push("after", {.cpu = 10, .gpu = 2});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kGpu), "after");
}

TEST_F(ApexWithPrices, WhileWorkIsReplacedTheOldestGoesFirst) {
  const std::vector<WorkerId> gpu = {kGpu};
  policy_.set_outstanding({.seconds = 1000, .replaced = 1});
  push("old", {.workers = gpu});
  push("long chain", {.tail = 50, .workers = gpu});
  EXPECT_EQ(pop(kGpu), "old");
}

TEST_F(ApexWithPrices, AllIsPlannedAgainWhenMuchMoreIsKnown) {
  policy_.set_outstanding({.seconds = 1});
  push("task", {.cpu = 10, .gpu = 2});  // late on the core
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding({.seconds = 1000});
  EXPECT_EQ(pop(kCpu), "task");
}

TEST_F(ApexTest, TasksOfACodeletAreGivenBack) {
  push("a", {});
  push("b", {});
  tasks_[0].codelet = 7;
  const std::vector<TaskRecord*> withdrawn = policy_.withdraw(7);
  ASSERT_EQ(withdrawn.size(), 1U);
  EXPECT_EQ(name_of(withdrawn[0]), "a");
  EXPECT_FALSE(withdrawn[0]->has_node);
  EXPECT_EQ(policy_.size(), 1U);
  EXPECT_TRUE(policy_.withdraw(7).empty());
  EXPECT_EQ(pop(kGpu), "b");
}

}  // namespace
}  // namespace starpath
