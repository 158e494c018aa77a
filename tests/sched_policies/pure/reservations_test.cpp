// Apex by hand: what a worker reserves, and who takes it.
#include <gtest/gtest.h>

#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

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

TEST_F(ApexTest, NobodyWaitsForWhatAWorkerThatLeavesHadToFinish) {
  push("fast", {.cpu = 30, .gpu = 1, .workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "fast");
  EXPECT_FALSE(policy_.pop(kCpu, now_).nobody_works);
  policy_.set_present(kGpu, false);  // its end may never be told
  EXPECT_TRUE(policy_.pop(kCpu, now_).nobody_works);
  finish(kGpu, "fast");  // it is
  EXPECT_TRUE(policy_.pop(kCpu, now_).nobody_works);
}

}  // namespace
}  // namespace starpath
