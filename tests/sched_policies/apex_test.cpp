// Apex by hand: what a worker takes, what it leaves, what it reserves.
#include "sched_policies/core/apex.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/des.hpp"

namespace starpath {
namespace {

constexpr WorkerId kCpu = 0, kGpu = 1, kOtherGpu = 2;

/// One CPU worker and two GPUs of one model, each with a memory of its own.
class ApexTest : public testing::Test {
 protected:
  explicit ApexTest(Machine machine = des::machine(1, {2}))
      : machine_(std::move(machine)), eligibility_(machine_), policy_({machine_, eligibility_}) {
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) policy_.set_present(worker, true);
  }

  struct Task {
    double cpu = 1, gpu = 1, slow = 1;  ///< the last: on a second class of GPUs
    std::vector<double> copies = {};    ///< to main memory, to each GPU
    double tail = 0;
    int priority = 0;
    bool known = true;
    std::vector<WorkerId> workers = {kCpu, kGpu, kOtherGpu};
  };
  void push(const std::string& name, const Task& what) {
    Named& task = tasks_.emplace_back();
    task.name = name;
    task.owner = &task;
    task.sequence = tasks_.size();
    task.priority = what.priority;
    WorkerSet all;
    for (const WorkerId worker : what.workers) all.insert(worker);
    task.group = eligibility_.intern(all);
    TaskCosts costs;
    costs.tail = what.tail;
    if (what.known) costs.seconds = {what.cpu, what.gpu, what.slow};
    std::ranges::copy(what.copies, costs.copies.begin());
    policy_.push(task, costs);
  }
  std::string name_of(const TaskRecord* task) { return task != nullptr ? static_cast<const Named*>(task)->name : ""; }
  std::string pop(WorkerId worker) { return name_of(policy_.pop(worker, now_).task); }
  std::string reserve(WorkerId worker) {
    TaskRecord* const task = policy_.reserve(worker, now_);
    if (task != nullptr) reserved_ = task;
    return name_of(task);
  }
  /// What was reserved last.
  void hold(WorkerId worker) { policy_.hold(worker, *reserved_); }
  /// `ran`: seconds, where that was measured.
  void finish(WorkerId worker, const std::string& name, std::optional<double> ran = std::nullopt) {
    for (Named& task : tasks_) {
      if (task.name == name) policy_.finished(worker, &task, now_, ran);
    }
  }

  struct Named : TaskRecord {
    std::string name;
  };
  Machine machine_;
  EligibilityTable eligibility_;
  Apex policy_;
  std::deque<Named> tasks_;
  TaskRecord* reserved_ = nullptr;
  double now_ = 0;
};

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
  policy_.set_outstanding(4, 0);
  EXPECT_EQ(pop(kCpu), "");  // a GPU is to be done with it after 4, and with all there is
  policy_.set_outstanding(2, 0);
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

/// Prices by which ten times as fast is too little for an accelerator, and a core costs a fifteenth of one or so.
class ApexWithPrices : public ApexTest {
 protected:
  ApexWithPrices() {
    const GroupId group = eligibility_.intern(all_);
    for (int i = 0; i < 100; ++i) {
      policy_.submitted(group, {3.0, 0.1, 0.1});
      policy_.submitted(group, {3.0, 0.3, 0.3});
    }
    policy_.set_outstanding(1000, 0);
  }
  WorkerSet all_ = [] {
    WorkerSet all;
    for (const WorkerId worker : {kCpu, kGpu, kOtherGpu}) all.insert(worker);
    return all;
  }();
};

TEST_F(ApexWithPrices, ACoreLeavesWhatBelongsOnAcceleratorsForAWhile) {
  for (int i = 0; i < 300; ++i) push("of many " + std::to_string(i), {.cpu = 50, .gpu = 0.5});
  EXPECT_EQ(pop(kGpu), "of many 0");
  EXPECT_EQ(pop(kOtherGpu), "of many 1");
  const Decision decision = policy_.pop(kCpu, now_);  // it would be done with one sooner than they with all
  EXPECT_EQ(decision.task, nullptr);
  now_ = 8 * 1000 - 1;
  for (const WorkerId gpu : {kGpu, kOtherGpu}) finish(gpu, gpu == kGpu ? "of many 0" : "of many 1");
  EXPECT_EQ(pop(kGpu), "of many 2");
  EXPECT_EQ(pop(kCpu), "");
  now_ = 8 * 2000;
  EXPECT_EQ(pop(kCpu), "of many 3");
}

TEST_F(ApexWithPrices, WhereNobodyMayComeNothingBelongs) {
  push("not for the first", {.cpu = 50, .gpu = 0.5, .workers = {kCpu, kOtherGpu}});
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_present(kOtherGpu, false);
  EXPECT_EQ(pop(kCpu), "not for the first");
}

TEST_F(ApexTest, WithoutPricesACoreTakesIt) {
  for (int i = 0; i < 300; ++i) push("of many " + std::to_string(i), {.cpu = 50, .gpu = 0.5});
  policy_.set_outstanding(1000, 0);
  EXPECT_EQ(pop(kGpu), "of many 0");
  EXPECT_EQ(pop(kOtherGpu), "of many 1");
  EXPECT_EQ(pop(kCpu), "of many 2");
}

TEST_F(ApexWithPrices, AnAcceleratorLeavesWhatCoresDoNearlyAsWell) {
  push("for cores", {.cpu = 1, .gpu = 0.6});
  for (const char* name : {"first", "second"}) push(name, {.cpu = 6, .gpu = 0.6});
  EXPECT_EQ(pop(kGpu), "first");
  EXPECT_EQ(pop(kOtherGpu), "second");
  EXPECT_EQ(pop(kGpu), "");
  EXPECT_EQ(pop(kCpu), "for cores");
}

TEST_F(ApexWithPrices, ButNotWhatCoresWouldNotDoInTime) {
  policy_.set_outstanding(100, 0);
  push("for cores", {.cpu = 1, .gpu = 0.6, .tail = 30});  // three times 30 and 1 is in time
  EXPECT_EQ(pop(kGpu), "");
  push("awaited longer", {.cpu = 1, .gpu = 0.6, .tail = 40});
  EXPECT_EQ(pop(kGpu), "awaited longer");
}

TEST_F(ApexWithPrices, ACoreBeginsNothingThatWouldOutlastAllElse) {
  push("long", {.cpu = 50, .gpu = 30});
  policy_.set_outstanding(40, 0);
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding(60, 0);
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, WhileWhatEndsIsReplacedItRisksATenthOfTheTimeSoFar) {
  push("at work", {.cpu = 6, .gpu = 0.6});
  policy_.set_outstanding(40, 1);
  EXPECT_EQ(pop(kGpu), "at work");
  now_ = 80;
  push("long", {.cpu = 50, .gpu = 30});
  EXPECT_EQ(pop(kCpu), "");  // 40 and 8
  now_ = 110;
  policy_.set_outstanding(40, 0.5);
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding(40, 1);
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, AfterAPauseTheTimeSoFarBeginsAnew) {
  push("before", {.cpu = 1, .gpu = 0.7});
  policy_.set_outstanding(40, 1);
  EXPECT_EQ(pop(kCpu), "before");
  now_ = 1000;
  finish(kCpu, "before");
  push("long", {.cpu = 50, .gpu = 30});  // nothing was queued, nobody was at work
  EXPECT_EQ(pop(kCpu), "");
}

TEST_F(ApexWithPrices, WhileWhatEndsIsReplacedAnotherChainIsToCome) {
  push("chain", {.gpu = 1, .tail = 30, .workers = {kOtherGpu}});
  push("long", {.cpu = 110, .gpu = 70});
  policy_.set_outstanding(100, 0);
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding(100, 1);
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, OfEqualsThatNothingWaitsForTheLongestGoesFirst) {
  push("short", {.cpu = 10, .gpu = 0.1});
  push("long", {.cpu = 30, .gpu = 0.3});
  push("longest", {.cpu = 40, .gpu = 0.4});
  EXPECT_EQ(pop(kGpu), "longest");
  EXPECT_EQ(pop(kOtherGpu), "long");
}

TEST_F(ApexWithPrices, WhatBelongsHereGoesBeforeWhatOnlySuitsIt) {
  push("for cores", {.cpu = 4, .gpu = 0.4, .priority = 5});
  push("for accelerators", {.cpu = 4, .gpu = 0.1});
  EXPECT_EQ(pop(kGpu), "for accelerators");
}

TEST_F(ApexWithPrices, WithALongChainFinishTimesDecide) {
  policy_.set_outstanding(100, 0);
  push("either", {.cpu = 1, .gpu = 0.08});
  EXPECT_EQ(pop(kCpu), "either");
  finish(kCpu, "either");
  push("chain", {.gpu = 0.6, .tail = 50, .workers = {kOtherGpu}});
  push("either too", {.cpu = 1, .gpu = 0.08});
  EXPECT_EQ(pop(kCpu), "");  // an accelerator is done with it sooner
}

TEST_F(ApexTest, OfWhatSuitsItBestTheLongestChainGoesFirst) {
  push("alone", {.cpu = 20, .gpu = 2});
  push("awaited", {.cpu = 20, .gpu = 2, .tail = 3});
  push("awaited more", {.cpu = 20, .gpu = 2, .tail = 5});
  policy_.set_outstanding(1000, 0);  // nothing is critical
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
  policy_.set_outstanding(10, 0);
  EXPECT_EQ(pop(kGpu), "long chain");
  EXPECT_EQ(pop(kOtherGpu), "suits well");
}

TEST_F(ApexTest, BesideMuchOtherWorkItDoesNot) {
  push("chain", {.cpu = 4, .gpu = 2, .tail = 50});
  push("suits well", {.cpu = 60, .gpu = 2});
  policy_.set_outstanding(1000, 0);
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

}  // namespace
}  // namespace starpath
