// The adaptive window: doubling, the first fall, single steps, bounds, and what it settles on.
#include "sched_policies/core/adaptive_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(AdaptiveWindow, FallsToTwoAndRecovers) {
  AdaptiveWindow window(64);
  for (int i = 0; i < 100; ++i) window.observe(100.0 - i);
  EXPECT_EQ(window.size(), 2U) << "the listing takes nothing from two";
  for (int i = 0; i < 10; ++i) window.observe(100.0 + i);
  EXPECT_EQ(window.size(), 12U);
}

TEST(AdaptiveWindow, AtTheLimitAFallTakesBackWhatTheLimitAllowed) {
  AdaptiveWindow window(64);
  for (int rise = 1; rise <= 6; ++rise) window.observe(rise);
  window.observe(1);
  EXPECT_EQ(window.size(), 64U) << "the sixth rise added nothing";
  AdaptiveWindow cut(50);
  for (int rise = 1; rise <= 5; ++rise) cut.observe(rise);
  EXPECT_EQ(cut.size(), 50U);
  cut.observe(1);
  EXPECT_EQ(cut.size(), 32U);
}

/// Algorithm 1 as a reader of the paper would write it down: the powers of two in order, then steps of one.
class PrintedWindow {
 public:
  explicit PrintedWindow(std::size_t limit) : limit_(limit) {}

  std::size_t size() const {
    return stopped_ ? single_ : std::min(limit_, rises_ < 16 ? std::size_t{2} << rises_ : limit_);
  }

  void next(double throughput) {
    const bool rose = throughput > last_, fell = throughput < last_ && size() > 2;
    last_ = throughput;
    if (stopped_) {
      if (rose && single_ < limit_) ++single_;
      if (fell) --single_;
    } else if (rose) {
      ++rises_;
    } else if (fell) {
      --rises_;
      single_ = size();
      stopped_ = true;
    }
  }

 private:
  std::size_t limit_, rises_ = 0, single_ = 0;
  bool stopped_ = false;
  double last_ = 0;
};

TEST(AdaptiveWindow, IsAlgorithm1WithEveryLimit) {
  for (std::size_t limit = 1; limit <= 64; ++limit) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      std::mt19937 random(seed);
      AdaptiveWindow window(limit);
      PrintedWindow printed(limit);
      double throughput = 0;
      const int rises = static_cast<int>(seed % 10);  // undisturbed ones, so that all first falls are there
      for (int i = 0; i < 500; ++i) {
        throughput = i < rises ? i + 1 : static_cast<int>(random() % 20);  // equal ones too
        window.observe(throughput);
        printed.next(throughput);
        ASSERT_EQ(window.size(), printed.size()) << "limit " << limit << ", seed " << seed << ", measure " << i;
      }
    }
  }
}

/// What a device of which `best` concurrent tasks are best does with `size` of them.
double throughput_of(std::size_t size, std::size_t best) {
  const auto held = static_cast<double>(size), peak = static_cast<double>(best);
  return held <= peak ? held : peak * peak / held;
}

/// The mean share of the highest throughput within `limit` that the second half of 5,000 tasks had, with times that are
/// up to `noise` (a share) shorter or longer.
double share_reached(std::size_t best, std::size_t limit, double noise, std::size_t& settled) {
  std::mt19937 random(static_cast<unsigned>(best * 100 + limit));
  std::uniform_real_distribution<> wrong(1 - noise, 1 + noise);
  AdaptiveWindow window(limit);
  double now = 0, half = 0;
  constexpr int kTasks = 5000;
  window.finished(now);
  for (int task = 0; task < kTasks; ++task) {
    if (task == kTasks / 2) half = now;
    now += wrong(random) / throughput_of(window.size(), best);
    window.finished(now);
  }
  settled = window.size();
  return kTasks / 2 / (now - half) / throughput_of(std::min(best, limit), best);
}

TEST(AdaptiveWindow, SettlesNearTheBestSize) {
  for (const std::size_t best : {8U, 20U, 32U}) {
    std::size_t settled = 0;
    share_reached(best, 64, 0, settled);
    EXPECT_NEAR(static_cast<double>(settled), static_cast<double>(best), 1) << "best " << best;
  }
}

/// Where the limit is below the best size, a measure that noise lowers shrinks the window, the smaller window lowers
/// the next one, and so on down to 2, from where it grows again. That is Algorithm 1.
TEST(AdaptiveWindow, ComesBackWithEveryLimitInNoise) {
  for (std::size_t limit = 1; limit <= 64; ++limit) {
    for (const std::size_t best : {4U, 16U, 40U}) {
      std::size_t settled = 0;
      EXPECT_GT(share_reached(best, limit, 0.05, settled), 0.4) << "limit " << limit << ", best " << best;
    }
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
