// Worker times: when workers will be free, and how long they worked.
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
  EXPECT_EQ(times_.free_at(0, 20), 20) << "what takes longer than expected is about to end";
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

TEST_F(WorkerTimesTest, AChainEndsAfterTheTailsOfItsTasks) {
  times_.took(0, {.task = &first_, .seconds = 3, .tail = 10}, 0);
  times_.took(0, {.task = &second_, .seconds = 4, .tail = 2}, 0);
  EXPECT_EQ(times_.chain_ends(0, 0), 13);
  EXPECT_EQ(times_.chain_ends(1, 5), 5);
  EXPECT_TRUE(times_.awaited(0));
  EXPECT_FALSE(times_.awaited(1));
}

TEST_F(WorkerTimesTest, WorkedTimeHasNoPauses) {
  times_.took(0, {.task = &first_, .seconds = 1}, 0);
  times_.finished(0, &first_, 2);
  times_.took(0, {.task = &second_, .seconds = 1}, 5);
  EXPECT_EQ(times_.worked(0, 6), 3);
  times_.finished(0, &second_, 7);
  EXPECT_EQ(times_.worked(0, 100), 4);
  times_.begin_anew();
  EXPECT_EQ(times_.worked(0, 100), 0);
}

}  // namespace
}  // namespace starpath
