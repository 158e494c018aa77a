// Refusals: when a task may be left to a worker.
#include "sched_policies/apex/refusals.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

constexpr WorkerId kAsker = 0, kSilent = 1, kOther = 2;

class RefusalsTest : public testing::Test {
 protected:
  void refuse(WorkerId worker, int times) {
    for (int i = 0; i < times; ++i) refusals_.note(worker);
  }
  Refusals refusals_{3};
};

TEST_F(RefusalsTest, AtFirstEveryWorkerCounts) {
  refuse(kAsker, 3);
  EXPECT_FALSE(refusals_.stuck());
  EXPECT_TRUE(refusals_.will_ask(kSilent, true));
}

TEST_F(RefusalsTest, AfterMoreRefusalsThanWorkersAnIdleWorkerCountsIfItWasRefused) {
  refuse(kOther, 1);
  refuse(kAsker, 3);
  EXPECT_TRUE(refusals_.stuck());
  EXPECT_FALSE(refusals_.will_ask(kSilent, true));
  EXPECT_TRUE(refusals_.will_ask(kOther, true));
}

TEST_F(RefusalsTest, AfterTwiceAsManyNoIdleWorkerCounts) {
  refuse(kOther, 1);
  refuse(kAsker, 5);
  EXPECT_TRUE(refusals_.will_ask(kOther, true));
  refuse(kAsker, 1);
  EXPECT_FALSE(refusals_.will_ask(kOther, true));
}

TEST_F(RefusalsTest, ABusyWorkerAlwaysCounts) {
  refuse(kAsker, 100);
  EXPECT_TRUE(refusals_.will_ask(kSilent, false));
}

TEST_F(RefusalsTest, AnEventResetsThem) {
  refuse(kOther, 2);
  refuse(kAsker, 5);
  refusals_.reset();
  EXPECT_FALSE(refusals_.stuck());
  refuse(kAsker, 4);
  EXPECT_FALSE(refusals_.will_ask(kOther, true));  // its refusals were before
}

}  // namespace
}  // namespace starpath
