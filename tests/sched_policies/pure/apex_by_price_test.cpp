// Apex by hand where classes have prices: what belongs where, and what is in time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

/// Prices by which ten times as fast is too little for an accelerator, and a core costs a fifteenth of one or so.
class ApexWithPrices : public ApexTest {
 protected:
  ApexWithPrices() {
    const GroupId group = eligibility_.intern(all_);
    for (int i = 0; i < 100; ++i) {
      policy_.submitted(group, {3.0, 0.1, 0.1});
      policy_.submitted(group, {3.0, 0.3, 0.3});
    }
    policy_.set_outstanding({.seconds = 1000});
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

TEST_F(ApexWithPrices, AnAcceleratorLeavesWhatCoresDoNearlyAsWell) {
  push("for cores", {.cpu = 1, .gpu = 0.6});
  for (const char* name : {"first", "second"}) push(name, {.cpu = 6, .gpu = 0.6});
  EXPECT_EQ(pop(kGpu), "first");
  EXPECT_EQ(pop(kOtherGpu), "second");
  EXPECT_EQ(pop(kGpu), "");
  EXPECT_EQ(pop(kCpu), "for cores");
}

TEST_F(ApexWithPrices, ButNotWhatCoresWouldNotDoInTime) {
  policy_.set_outstanding({.seconds = 100});
  push("for cores", {.cpu = 1, .gpu = 0.6, .tail = 30});  // three times 30 and 1 is in time
  EXPECT_EQ(pop(kGpu), "");
  push("awaited longer", {.cpu = 1, .gpu = 0.6, .tail = 40});
  EXPECT_EQ(pop(kGpu), "awaited longer");
}

TEST_F(ApexWithPrices, ACoreBeginsNothingThatWouldOutlastAllElse) {
  push("long", {.cpu = 50, .gpu = 30});
  policy_.set_outstanding({.seconds = 40});
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding({.seconds = 60});
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, WhileWhatEndsIsReplacedItRisksATenthOfTheTimeSoFar) {
  push("at work", {.cpu = 6, .gpu = 0.6});
  policy_.set_outstanding({.seconds = 40, .replaced = 1});
  EXPECT_EQ(pop(kGpu), "at work");
  now_ = 80;
  push("long", {.cpu = 50, .gpu = 30});
  EXPECT_EQ(pop(kCpu), "");  // 40 and 8
  now_ = 110;
  policy_.set_outstanding({.seconds = 40, .replaced = 0.5});
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding({.seconds = 40, .replaced = 1});
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, AfterAPauseTheTimeSoFarBeginsAnew) {
  push("before", {.cpu = 1, .gpu = 0.7});
  policy_.set_outstanding({.seconds = 40, .replaced = 1});
  EXPECT_EQ(pop(kCpu), "before");
  now_ = 1000;
  finish(kCpu, "before");
  push("long", {.cpu = 50, .gpu = 30});  // nothing was queued, nobody was at work
  EXPECT_EQ(pop(kCpu), "");
}

TEST_F(ApexWithPrices, WhileWhatEndsIsReplacedAnotherChainIsToCome) {
  push("chain", {.gpu = 1, .tail = 30, .workers = {kOtherGpu}});
  push("long", {.cpu = 110, .gpu = 70});
  policy_.set_outstanding({.seconds = 100});
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding({.seconds = 100, .replaced = 1});
  EXPECT_EQ(pop(kCpu), "long");
}

TEST_F(ApexWithPrices, WhatWouldBeInTimeNowhereIsLeftToTheFastest) {
  policy_.set_outstanding({.seconds = 1});
  push("at home on a core", {.cpu = 50, .gpu = 5, .copies = {0, 0.5, 1}});
  EXPECT_EQ(policy_.pop(kOtherGpu, now_).in_favour_of, kGpu);
  EXPECT_EQ(policy_.pop(kCpu, now_).in_favour_of, kGpu);
  EXPECT_EQ(pop(kGpu), "at home on a core");
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

/// A chain for half of the 100 s that all is to take: finish times decide, and an accelerator is free.
class ApexWithALongChain : public ApexWithPrices {
 protected:
  void SetUp() override {
    policy_.set_outstanding({.seconds = 100});
    push("chain", {.gpu = 0.6, .tail = 50, .workers = {kOtherGpu}});
  }
};

TEST_F(ApexWithALongChain, FinishTimesDecide) {
  push("awaited", {.cpu = 30, .gpu = 2.4, .tail = 10});
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(pop(kOtherGpu), "chain");
  policy_.set_outstanding({.seconds = 1000});  // the chain is no longer long beside that
  EXPECT_EQ(pop(kCpu), "awaited");
}

TEST_F(ApexWithALongChain, ButACoreTakesWhatItDoesBeforeOthersComeToWhatWaitsForIt) {
  push("awaited", {.cpu = 30, .gpu = 2.4, .tail = 10});
  WorkByUpwardRank waiting;
  policy_.set_outstanding({.seconds = 100, .waiting = &waiting});
  waiting.add(WorkByUpwardRank::level(20), 25);  // all classes need 25 s for what goes first, the others 26.9 or so
  waiting.add(WorkByUpwardRank::level(5), 75);
  EXPECT_EQ(pop(kCpu), "");
  waiting.add(WorkByUpwardRank::level(20), 5);
  EXPECT_EQ(pop(kCpu), "awaited");
}

TEST_F(ApexWithALongChain, UnlessAChainThatEndsBringsTheNext) {
  push("awaited", {.cpu = 30, .gpu = 2.4, .tail = 10});
  WorkByUpwardRank waiting;
  waiting.add(WorkByUpwardRank::level(20), 90);
  policy_.set_outstanding({.seconds = 100, .replaced = 0.9, .waiting = &waiting});
  EXPECT_EQ(pop(kCpu), "");
  policy_.set_outstanding({.seconds = 100, .replaced = 0.1, .waiting = &waiting});
  EXPECT_EQ(pop(kCpu), "awaited");
}

TEST_F(ApexWithALongChain, UnlessTheEndWouldBeLater) {
  WorkByUpwardRank waiting;
  waiting.add(WorkByUpwardRank::level(90), 100);
  policy_.set_outstanding({.seconds = 100, .waiting = &waiting});
  push("awaited much", {.cpu = 30, .gpu = 2.4, .tail = 71});
  EXPECT_EQ(pop(kCpu), "");
  push("awaited less", {.cpu = 30, .gpu = 2.4, .tail = 69, .priority = 1});
  EXPECT_EQ(pop(kOtherGpu), "awaited much");
  EXPECT_EQ(pop(kCpu), "awaited less");
}

/// What an accelerator did took `wrong` times as long as estimated, or as much less.
class ApexAfterWrongEstimates : public ApexWithALongChain, public testing::WithParamInterface<double> {
 protected:
  std::string taken(double tail) {
    for (int i = 0; i < 64; ++i) {
      push("only there", {.gpu = 1e-3, .workers = {kGpu}});  // no task like it
      EXPECT_EQ(pop(kGpu), "only there");
      now_ += 1e-3;
      finish(kGpu, "only there", 1e-3 * (i % 2 == 0 ? GetParam() : 1 / GetParam()));
    }
    push("awaited", {.cpu = 30, .gpu = 2.4, .tail = tail});
    WorkByUpwardRank waiting;
    waiting.add(WorkByUpwardRank::level(90), 100);
    policy_.set_outstanding({.seconds = 100, .waiting = &waiting});
    return pop(kCpu);
  }
};

TEST_P(ApexAfterWrongEstimates, ACoreRisksNoCriticalTask) {
  EXPECT_EQ(taken(60), GetParam() > 1.1 ? "" : "awaited");  // for half of the horizon others wait for it
}

TEST_P(ApexAfterWrongEstimates, ButOthers) { EXPECT_EQ(taken(40), "awaited"); }

INSTANTIATE_TEST_SUITE_P(Apex, ApexAfterWrongEstimates, testing::Values(1, 1.02, 1.5),
                         [](const auto& wrong) { return fmt::format("By{:.0f}Percent", 100 * wrong.param - 100); });

TEST_F(ApexWithALongChain, WhatNothingWaitsForOnlyHasToEndWithTheRest) {
  push("too long", {.cpu = 101, .gpu = 8});
  EXPECT_EQ(pop(kCpu), "");
  push("alone", {.cpu = 99, .gpu = 8});
  EXPECT_EQ(pop(kOtherGpu), "chain");
  EXPECT_EQ(pop(kGpu), "too long");
  EXPECT_EQ(pop(kCpu), "alone");
}

TEST_F(ApexWithALongChain, UnlessItIsDear) {
  push("for accelerators", {.cpu = 30, .gpu = 0.3});
  EXPECT_EQ(pop(kCpu), "");
  push("critical", {.cpu = 30, .gpu = 0.3, .tail = 60});  // beside one of its kind it is looked at anew
  EXPECT_EQ(pop(kCpu), "");
}

/// A core that has worked for 10 s beside accelerators at work may do what belongs there, and is done there long after.
class ApexWithWorkForTheOthers : public ApexWithALongChain {
 protected:
  void begin() {
    EXPECT_EQ(pop(kOtherGpu), "chain");
    push("held", {.gpu = 100, .workers = {kGpu}});
    EXPECT_EQ(pop(kGpu), "held");
    push("only core", {.cpu = 10, .workers = {kCpu}});
    EXPECT_EQ(pop(kCpu), "only core");
    now_ += 10;
    finish(kCpu, "only core");
    push("for accelerators", {.cpu = 30, .gpu = 0.9, .workers = {kCpu, kGpu}});
  }
};

TEST_F(ApexWithWorkForTheOthers, ItIsDear) {
  begin();
  EXPECT_EQ(pop(kCpu), "");
  now_ += 1;
  EXPECT_EQ(pop(kCpu), "");
}

TEST_F(ApexWithWorkForTheOthers, UnlessCoresIdle) {
  begin();
  now_ += 10;
  EXPECT_EQ(pop(kCpu), "for accelerators");
}

TEST_F(ApexWithWorkForTheOthers, ButNotWhatIsFarTooDear) {
  begin();
  now_ += 10;
  EXPECT_EQ(pop(kCpu), "for accelerators");
  push("not for cores", {.cpu = 30, .gpu = 0.3, .workers = {kCpu, kGpu}});
  EXPECT_EQ(pop(kCpu), "");
}

TEST_F(ApexWithWorkForTheOthers, WhatWasDoneBeforeAPauseDoesNotCount) {
  push("long ago", {.cpu = 1000, .workers = {kCpu}});
  EXPECT_EQ(pop(kCpu), "long ago");
  EXPECT_EQ(pop(kOtherGpu), "chain");
  now_ = 1000;
  finish(kCpu, "long ago");
  finish(kOtherGpu, "chain");
  push("chain", {.gpu = 0.6, .tail = 50, .workers = {kOtherGpu}});
  begin();
  now_ += 10;
  EXPECT_EQ(pop(kCpu), "for accelerators");
}

}  // namespace
}  // namespace starpath
