// Prices against what they are for: the area bound.
#include "sched_policies/planning/class_prices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "lab/bounds/bound.hpp"
#include "support/random_dag.hpp"

namespace starpath {
namespace {

double bound(const std::vector<ClassSeconds>& tasks, const std::vector<unsigned>& workers) {
  std::vector<lab::BoundTask> all;
  for (const ClassSeconds& task : tasks) {
    lab::BoundTask& added = all.emplace_back();
    for (std::size_t c = 0; c < workers.size(); ++c) added.seconds.push_back(task[c].value_or(HUGE_VAL));
  }
  return lab::area_bound(all, workers);
}

/// The bound on the makespan that prices prove: all that is submitted, each where it costs least.
double proves(const std::vector<ClassSeconds>& tasks, const std::vector<unsigned>& workers,
              std::span<const double> prices) {
  double value = 0, scale = 0;
  for (const ClassSeconds& task : tasks) {
    double least = HUGE_VAL;
    for (std::size_t c = 0; c < workers.size(); ++c)
      if (task[c]) least = std::min(least, prices[c] * *task[c]);
    value += least;
  }
  for (std::size_t c = 0; c < workers.size(); ++c) scale += workers[c] * prices[c];
  return value / scale;
}

TEST(ClassPrices, AreKnownOnceWorkMayGoToSeveralClasses) {
  ClassPrices prices(des::machine(2, {1}));
  EXPECT_TRUE(prices.prices().empty());
  prices.submitted({1.0, std::nullopt});
  EXPECT_TRUE(prices.prices().empty());
  prices.submitted({2.0, 1.0});
  EXPECT_EQ(prices.prices().size(), 3U) << "two classes and the bus";
}

TEST(ClassPrices, OfTooManyKindsTheRarerHalfIsForgotten) {
  ClassPrices prices(des::machine(2, {1, 1}));
  const auto submit = [&](int first, int last) {
    for (int i = first; i < last; ++i) prices.submitted({std::exp2(1 + i % 20), std::exp2(1 + i / 20), 1.0});
  };
  submit(0, 100);
  submit(0, 100);
  submit(100, 300);
  const std::size_t kinds = prices.types();
  EXPECT_GE(kinds, 128U);
  EXPECT_LE(kinds, 256U);
  submit(0, 100);
  EXPECT_EQ(prices.types(), kinds) << "those that are common are still known";
}

TEST(ClassPrices, OneClassHasNone) {
  ClassPrices prices(des::machine(2, {}));
  prices.submitted({1.0});
  EXPECT_TRUE(prices.prices().empty());
}

TEST(ClassPrices, WorkOfOneKindHasThePriceOfItsSpeedup) {
  ClassPrices prices(des::machine(4, {1}));
  for (int i = 0; i < 100; ++i) prices.submitted({10.0, 1.0});
  const auto all = prices.prices();
  EXPECT_EQ(all[1], 1);
  EXPECT_NEAR(all[0], 0.1, 0.005);
}

TEST(ClassPrices, BetweenTwoKindsIsWhatDividesThem) {
  ClassPrices prices(des::machine(10, {1}));
  for (int i = 0; i < 100; ++i) {
    prices.submitted({10.0, 1.0});   // belongs on the accelerator,
    prices.submitted({10.0, 10.0});  // as long as this keeps the cores as busy
  }
  const double speedup = prices.prices()[1] / prices.prices()[0];
  EXPECT_GT(speedup, 1);
  EXPECT_LT(speedup, 10);
}

TEST(ClassPrices, ProveNearlyTheAreaBound) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> speedup(1.5, 1);
  std::uniform_int_distribution<unsigned> some(1, 12);
  for (int round = 0; round < 40; ++round) {
    const std::vector<unsigned> workers =
        round % 2 == 0 ? std::vector<unsigned>{some(random), some(random) % 4 + 1, some(random) % 4 + 1}
                       : std::vector<unsigned>{some(random), some(random) % 4 + 1};
    ClassPrices prices(des::machine(workers[0], {workers.begin() + 1, workers.end()}));
    std::vector<ClassSeconds> kinds, tasks;
    for (unsigned kind = some(random); kind-- > 0;) {
      kinds.push_back({1.0});
      for (std::size_t c = 1; c < workers.size(); ++c) kinds.back()[c] = 1 / speedup(random);
      if (kind == 5) kinds.back()[1] = std::nullopt;
    }
    for (int i = 0; i < 400; ++i) {
      tasks.push_back(kinds[random() % kinds.size()]);
      prices.submitted(tasks.back());
      if (i % 7 == 0) prices.prices();
    }
    EXPECT_GE(proves(tasks, workers, prices.prices()), 0.98 * bound(tasks, workers)) << "round " << round;
  }
}

TEST(ClassPrices, ACopyHasThePriceOfWhatItSaves) {
  ClassPrices prices(des::machine(4, {1}));
  for (int i = 0; i < 100; ++i) {
    prices.submitted({10.0, 1.0});
    prices.ready({10.0, 1.0}, std::array{0.0, 5.0});
  }
  const std::vector<double> narrow(prices.prices(1).begin(), prices.prices(1).end());
  EXPECT_EQ(narrow[2], 1);
  EXPECT_NEAR(narrow[0], 0.5, 0.03) << "5 s of copies keep 10 s of work off the cores";
  EXPECT_LT(narrow[1], 0.01) << "the accelerator waits for copies";
  for (int i = 0; i < 1000; ++i) {
    prices.submitted({10.0, 1.0});
    prices.prices(20);
  }
  const auto wide = prices.prices(20);
  EXPECT_EQ(wide[1], 1);
  EXPECT_LT(wide[2], 0.01) << "copies are soon done";
}

TEST(ClassPrices, FollowWhatIsSubmitted) {
  ClassPrices prices(des::machine(1, {1}));
  for (int i = 0; i < 1000; ++i) prices.submitted({2.0, 1.0});
  EXPECT_NEAR(prices.prices()[0], 0.5, 0.03);
  for (int i = 0; i < 200'000; ++i) {
    prices.submitted({20.0, 1.0});
    if (i % 1000 == 0) prices.prices();
  }
  EXPECT_NEAR(prices.prices()[0], 0.05, 0.01);
}

TEST(ClassPrices, StayRightThroughMillionsOfTasks) {
  ClassPrices prices(des::machine(1, {1}));
  for (int i = 0; i < 10'000'000; ++i) prices.submitted({4.0, 1.0});
  EXPECT_NEAR(prices.prices()[0], 0.25, 0.02);
}

TEST(ClassPrices, CommonKindsCountAmongEndlesslyMany) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> any(0, 2);
  ClassPrices prices(des::machine(2, {1, 1, 1}));
  for (int i = 0; i < 100'000; ++i) {
    if (i % 4 == 0) {
      prices.submitted({1.0, 1e-4 * any(random), 1e-4 * any(random), 1e-4 * any(random)});
    } else {
      prices.submitted({8.0, 1.0, 2.0, 4.0});
    }
    prices.prices();
  }
  const auto all = prices.prices();
  EXPECT_EQ(all[1], 1);
  EXPECT_NEAR(all[0], 1.0 / 8, 0.01);
  EXPECT_NEAR(all[2], 1.0 / 2, 0.03);
  EXPECT_NEAR(all[3], 1.0 / 4, 0.02);
}

TEST(ClassPrices, WhatTakesNoTimeIsIgnored) {
  ClassPrices prices(des::machine(1, {1}));
  prices.submitted({0.0, 1.0});
  prices.submitted({});
  EXPECT_TRUE(prices.prices().empty());
}

}  // namespace
}  // namespace starpath
