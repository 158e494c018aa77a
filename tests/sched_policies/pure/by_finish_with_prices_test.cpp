// Apex by hand, with prices and a long chain: finish times decide, and what is too expensive.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

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
