// Worker times: when workers will be free.
#include "sched_policies/apex/worker_times.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

class WorkerTimesTest : public testing::Test {
 protected:
  WorkerTimes times_{2};
  int first_ = 0, second_ = 0;  // stand for tasks
};

TEST_F(WorkerTimesTest, AWorkerIsFreeAfterItsTasks) {
  EXPECT_TRUE(times_.all_idle());
  times_.took(0, {.task = &first_, .seconds = 3}, 10);
  times_.took(0, {.task = &second_, .seconds = 4}, 11);
  EXPECT_EQ(times_.free_at(0, 12), 17);
  EXPECT_EQ(times_.free_at(0, 20), 23) << "late by 3, so for 3 more";
  EXPECT_EQ(times_.free_at(1, 12), 12);
  ASSERT_TRUE(times_.finished(0, &first_, 15));
  EXPECT_EQ(times_.free_at(0, 15), 19);
  ASSERT_TRUE(times_.finished(0, &second_, 16));
  EXPECT_TRUE(times_.all_idle());
}

TEST_F(WorkerTimesTest, ATaskThatItDidNotTakeIsNotKnown) {
  times_.took(0, {.task = &first_, .seconds = 3}, 0);
  EXPECT_FALSE(times_.finished(0, &second_, 1));
  EXPECT_FALSE(times_.finished(1, &first_, 1));
  EXPECT_FALSE(times_.idle(0));
}

TEST_F(WorkerTimesTest, WhoIsCalledAndDoesNotAskCountsAsLate) {
  times_.called(0, 10);
  times_.called(0, 11);
  EXPECT_EQ(times_.free_at(0, 13), 16);
  EXPECT_TRUE(times_.idle(0));
  times_.asked(0);
  EXPECT_EQ(times_.free_at(0, 13), 13);
}

TEST_F(WorkerTimesTest, WhoLeftHasNothingToFinish) {
  times_.took(0, {.task = &first_, .seconds = 3}, 0);
  times_.left(0);
  EXPECT_TRUE(times_.all_idle());
  EXPECT_FALSE(times_.finished(0, &first_, 1));
}

}  // namespace
}  // namespace starpath
