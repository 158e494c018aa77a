// Apex by hand, without prices: finish times decide.
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

}  // namespace
}  // namespace starpath
