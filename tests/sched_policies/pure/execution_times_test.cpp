// When executions began and ended, from what the driver of a device tells.
#include "sched_policies/core/execution_times.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

class ExecutionTimesTest : public testing::Test {
 protected:
  void expect(const ExecutionTimes::Span& span, double started, double finished, bool sure) {
    EXPECT_EQ(span.started, started);
    EXPECT_EQ(span.finished, finished);
    EXPECT_EQ(span.sure, sure) << "from " << started << " to " << finished;
  }
  ExecutionTimes times_;
};

TEST_F(ExecutionTimesTest, ATaskThatBeginsAtOnceTakesFromItsStartToItsEnd) {
  times_.start(10);
  expect(times_.end(15), 10, 15, true);
  times_.start(20);
  expect(times_.end(20.5), 20, 20.5, true);
}

TEST_F(ExecutionTimesTest, ATaskBehindAnotherBeginsWhenThatEnds) {
  times_.start(0);
  expect(times_.end(100), 0, 100, true);
  times_.start_behind(110);
  expect(times_.end(200), 100, 200, true);
}

TEST_F(ExecutionTimesTest, WhatMayHaveEndedWhileNobodyLookedIsNotSure) {
  times_.start(0);
  times_.end(100);
  times_.start_behind(1100);
  expect(times_.end(1101), 100, 1101, false);
  times_.start(2000);  // which it has not been given ahead
  expect(times_.end(2001), 2000, 2001, true);
}

TEST_F(ExecutionTimesTest, NorIsWhatIsFoundEndedRightBehindIt) {
  times_.start(0);
  times_.end(100);
  times_.start_behind(1100);
  times_.end(1101);
  times_.start_behind(1102);
  expect(times_.end(1103), 1101, 1103, false);
  times_.start_behind(1104);
  expect(times_.end(1500), 1103, 1500, false);  // it may have begun long before
  times_.start_behind(1501);
  expect(times_.end(3000), 1500, 3000, true);
}

TEST_F(ExecutionTimesTest, ATaskThatOutlastsTheSilenceIsSure) {
  times_.start(0);
  times_.end(100);
  times_.start_behind(150);
  expect(times_.end(200), 100, 200, true);
  times_.start_behind(250);
  expect(times_.end(299), 200, 299, false);  // it may have taken less than half of it
}

TEST_F(ExecutionTimesTest, TheStartBehindAnUnknownTaskIsNotKnown) {
  times_.start(0);
  times_.end(100);
  times_.start_behind_another(5000);
  expect(times_.end(5100), 5000, 5100, false);
  times_.start_behind(5101);
  expect(times_.end(5200), 5100, 5200, true);
}

}  // namespace
}  // namespace starpath
