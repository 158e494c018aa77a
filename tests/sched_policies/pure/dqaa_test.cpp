// DQAA: the control of a worker's window of requested tasks.
#include "sched_policies/core/dqaa.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <queue>

namespace starpath {
namespace {

TEST(Dqaa, StartsWithOneRequest) {
  Dqaa window;
  EXPECT_EQ(window.target(), 1U);
  EXPECT_EQ(window.due(), 1U);
  window.sent();
  EXPECT_EQ(window.due(), 0U);
  EXPECT_EQ(window.requested(), 1U);
}

TEST(Dqaa, AnArrivedTaskHoldsItsPlaceUntilTheWorkerTakesIt) {
  Dqaa window;
  window.sent();
  window.answered(1);
  EXPECT_EQ(window.due(), 0U);
  window.taken();
  EXPECT_EQ(window.due(), 1U);
}

TEST(Dqaa, ARefusedRequestFreesItsPlaceAndTeachesNothing) {
  Dqaa window;
  window.sent();
  window.refused();
  EXPECT_EQ(window.due(), 1U);
  window.processed(1e-9);
  EXPECT_EQ(window.target(), 1U);
}

TEST(Dqaa, GrowsByOneATaskUpToTheRatio) {
  Dqaa window;
  window.answered(0.04);
  for (const unsigned expected : {2U, 3U, 4U, 4U, 4U}) {
    window.processed(0.01);
    EXPECT_EQ(window.target(), expected);
  }
  EXPECT_EQ(window.due(), 4U);
}

TEST(Dqaa, ShrinksByOneATaskWhenTasksGetLonger) {
  Dqaa window;
  window.answered(0.04);
  for (int i = 0; i < 5; ++i) window.processed(0.01);
  for (const unsigned expected : {3U, 2U, 1U, 1U}) {
    window.processed(0.04 / 0.9);
    EXPECT_EQ(window.target(), expected);
  }
}

TEST(Dqaa, ARatioBetweenTwoTargetsIsRoundedUp) {
  Dqaa window;
  window.answered(2.5);
  for (const unsigned expected : {2U, 3U, 3U, 3U}) {
    window.processed(1);
    EXPECT_EQ(window.target(), expected);
  }
}

TEST(Dqaa, ASmallerTargetSendsNothingUntilTheWindowHasDrained) {
  Dqaa window;
  window.answered(3);
  for (int i = 0; i < 2; ++i) window.processed(1);
  for (int i = 0; i < 3; ++i) window.sent();
  window.processed(100);
  EXPECT_EQ(window.target(), 2U);
  EXPECT_EQ(window.due(), 0U);
  window.taken();
  EXPECT_EQ(window.due(), 0U);
  window.taken();
  EXPECT_EQ(window.due(), 1U);
}

TEST(Dqaa, StaysWithinItsLimits) {
  Dqaa window(3);
  window.answered(1e9);
  for (int i = 0; i < 10; ++i) window.processed(1e-9);
  EXPECT_EQ(window.target(), 3U);
  EXPECT_EQ(Dqaa(0).due(), 1U);
}

TEST(Dqaa, IgnoresMeasurementsThatAreNone) {
  Dqaa window;
  window.answered(4);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    window.answered(bad);
    window.processed(bad);
  }
  window.processed(0);
  EXPECT_EQ(window.target(), 1U);
  window.processed(1);
  EXPECT_EQ(window.target(), 2U);
}

TEST(Dqaa, KeepsAWorkerBusyBehindASlowRequest) {
  // A worker whose tasks take 1 s behind requests that take 5 s: busy all the time once the window has opened.
  constexpr double kLatency = 5;
  constexpr double kTask = 1;
  Dqaa window;
  std::queue<double> arrivals;
  const auto request = [&](double now) {
    while (window.due() != 0) {
      window.sent();
      arrivals.push(now + kLatency);
    }
  };
  request(0);
  double now = 0;
  double idle_late = 0;
  for (int task = 0; task < 100; ++task) {
    const double arrival = arrivals.front();
    arrivals.pop();
    if (task >= 50 && arrival > now) idle_late += arrival - now;
    now = std::max(now, arrival);
    window.answered(kLatency);
    window.taken();
    request(now);
    now += kTask;
    window.processed(kTask);
    request(now);
  }
  EXPECT_EQ(window.target(), 5U);
  EXPECT_EQ(idle_late, 0);
}

}  // namespace
}  // namespace starpath
