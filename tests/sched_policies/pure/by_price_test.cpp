// Apex by hand, with prices and short chains: where a task belongs, and what is in time.
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

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

}  // namespace
}  // namespace starpath
