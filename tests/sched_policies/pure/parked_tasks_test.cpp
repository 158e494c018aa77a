#include "sched_policies/core/parked_tasks.hpp"

#include <gtest/gtest.h>

#include <array>

namespace starpath {
namespace {

class ParkedTasksTest : public testing::Test {
 protected:
  void park(std::size_t tasks) {
    for (std::size_t i = 0; i < tasks; ++i) parked_.park(records_[i]);
  }
  TaskRecord* take(WorkerId worker, const TaskRecord* only) {
    return parked_.take(worker, [&](const TaskRecord& task) { return ++asked_, &task == only; });
  }

  std::array<TaskRecord, 20> records_;
  ParkedTasks parked_{2};
  std::size_t asked_ = 0;
};

TEST_F(ParkedTasksTest, EachWorkerTriesAllEightAtATime) {
  park(12);
  EXPECT_EQ(take(0, nullptr), nullptr);
  EXPECT_EQ(asked_, 8U);
  EXPECT_TRUE(parked_.untried(0));
  EXPECT_EQ(take(0, nullptr), nullptr);
  EXPECT_FALSE(parked_.untried(0));
  EXPECT_TRUE(parked_.untried(1));
}

TEST_F(ParkedTasksTest, WhatAWorkerCanRunIsFoundWhereverItIs) {
  park(12);
  EXPECT_EQ(take(0, &records_[11]), nullptr);
  EXPECT_EQ(take(0, &records_[11]), &records_[11]);
}

TEST_F(ParkedTasksTest, AWorkerHasNotTriedAllWhenOthersTookTheRest) {
  park(12);
  EXPECT_EQ(take(0, nullptr), nullptr);  // the first eight
  for (std::size_t i = 0; i < 4; ++i) ASSERT_EQ(take(1, &records_[i]), &records_[i]);
  EXPECT_TRUE(parked_.untried(0)) << "it has not tried the last four of the eight that are left";
}

TEST_F(ParkedTasksTest, OneThatIsParkedLaterIsTried) {
  park(1);
  EXPECT_EQ(take(0, nullptr), nullptr);
  EXPECT_FALSE(parked_.untried(0));
  parked_.park(records_[1]);
  EXPECT_TRUE(parked_.untried(0));
}

TEST_F(ParkedTasksTest, IsEmptyWhenAllWereTaken) {
  park(2);
  take(0, &records_[0]);
  EXPECT_FALSE(parked_.empty());
  EXPECT_EQ(&parked_.front(), &records_[1]);
  take(1, &records_[1]);
  EXPECT_TRUE(parked_.empty());
  EXPECT_FALSE(parked_.untried(0));
}

}  // namespace
}  // namespace starpath
