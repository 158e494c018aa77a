// The adaptive window: doubling, the first fall, single steps, bounds, and what it settles on.
#include "sched_policies/core/adaptive_window.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath {
namespace {

TEST(AdaptiveWindow, DoublesItsStepsWhileThroughputRises) {
  AdaptiveWindow window(1000);
  EXPECT_EQ(window.size(), 2U);
  for (const std::size_t expected : {4U, 8U, 16U, 32U}) {
    window.observe(static_cast<double>(expected));
    EXPECT_EQ(window.size(), expected);
  }
}

TEST(AdaptiveWindow, GoesBackAtTheFirstFallAndMovesByOneThen) {
  AdaptiveWindow window(1000);
  window.observe(1);
  window.observe(2);
  EXPECT_EQ(window.size(), 8U);
  window.observe(1.5);
  EXPECT_EQ(window.size(), 4U) << "the configuration before";
  window.observe(1.6);
  EXPECT_EQ(window.size(), 5U);
  window.observe(1.7);
  EXPECT_EQ(window.size(), 6U);
  window.observe(1.2);
  EXPECT_EQ(window.size(), 5U);
  window.observe(1.2);
  EXPECT_EQ(window.size(), 5U) << "no change, no move";
}

TEST(AdaptiveWindow, StaysWithinItsBounds) {
  std::mt19937 random(7);
  for (const std::size_t limit : {0U, 1U, 2U, 5U, 64U}) {
    AdaptiveWindow window(limit);
    for (int i = 0; i < 10000; ++i) {
      window.observe(std::uniform_real_distribution<>(0, 1)(random));
      ASSERT_GE(window.size(), 1U);
      ASSERT_LE(window.size(), std::max<std::size_t>(limit, 1));
    }
  }
}

TEST(AdaptiveWindow, FallsToOneAndRecovers) {
  AdaptiveWindow window(64);
  for (int i = 0; i < 100; ++i) window.observe(100.0 - i);
  EXPECT_EQ(window.size(), 1U);
  for (int i = 0; i < 10; ++i) window.observe(100.0 + i);
  EXPECT_EQ(window.size(), 11U);
}

/// A device whose throughput rises with the window up to `best` and falls beyond it.
std::size_t settled(std::size_t best) {
  AdaptiveWindow window(64);
  double now = 0;
  window.finished(now);
  for (int task = 0; task < 5000; ++task) {
    const auto size = static_cast<double>(window.size());
    const auto peak = static_cast<double>(best);
    now += 1 / (size <= peak ? size : peak * peak / size);
    window.finished(now);
  }
  return window.size();
}

TEST(AdaptiveWindow, SettlesNearTheBestSize) {
  for (const std::size_t best : {8U, 20U, 32U}) {
    EXPECT_NEAR(static_cast<double>(settled(best)), static_cast<double>(best), 1) << "best " << best;
  }
}

TEST(AdaptiveWindow, IdleTimeIsNoMeasure) {
  AdaptiveWindow steady(64);
  AdaptiveWindow paused(64);
  double late = 0;
  for (int task = 0; task <= 50; ++task) {
    steady.finished(task);
    paused.finished(task + late);
    if (task % 10 == 9) {
      paused.idle();
      late += 1e6;
    }
  }
  // At an even pace the throughput never changes after the first measure, pauses or not.
  EXPECT_EQ(steady.size(), 4U);
  EXPECT_EQ(paused.size(), 4U);
}

}  // namespace
}  // namespace starpath
