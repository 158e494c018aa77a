// What estimates are taken for once runs have shown how wrong they are.
#include "sched_policies/planning/estimate_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace starpath {
namespace {

constexpr CodeletId kCodelet = 3;
constexpr ClassId kClass = 1;

/// Tells of runs whose logarithms differ from their estimates' by `error`, in turn too long and too short.
void measure(EstimateErrors& errors, double error, unsigned runs = 64) {
  for (unsigned i = 0; i < runs; ++i)
    errors.measured(kCodelet, kClass, 1e-3, 1e-3 * std::exp(i % 2 == 0 ? error : -error));
}

/// What becomes of estimates of 1 ms that are off by `sigma` either way.
double moved(EstimateErrors& errors, double sigma) {
  for (unsigned i = 0; i < 256; ++i) errors.expected(kCodelet, kClass, 1e-3 * std::exp(i % 2 == 0 ? sigma : -sigma));
  return std::log(errors.expected(kCodelet, kClass, 1e-3 * std::exp(sigma)) / 1e-3);
}

TEST(EstimateErrors, RightEstimatesStay) {
  EstimateErrors errors;
  measure(errors, 0);
  for (const double seconds : {1e-3, 1.1e-3, 0.9e-3, 7.0})
    EXPECT_EQ(errors.expected(kCodelet, kClass, seconds), seconds);
}

TEST(EstimateErrors, WhatDiffersByErrorsAloneBecomesTheMean) {
  EstimateErrors errors;
  measure(errors, 0.5);
  EXPECT_NEAR(moved(errors, 0.5), 0, 0.02);
}

TEST(EstimateErrors, WhatDiffersByMoreMovesByTheShareThatIsError) {
  EstimateErrors errors;
  measure(errors, 0.5);
  const double share = std::numbers::pi / 2 * 0.25;  // of a variance of 1
  EXPECT_NEAR(moved(errors, 1), 1 - share, 0.02);
}

TEST(EstimateErrors, OneWildTimeHardlyCounts) {
  EstimateErrors errors;
  measure(errors, 0);
  errors.measured(kCodelet, kClass, 1, 1e4);
  EXPECT_GT(moved(errors, 0.5), 0.4);
}

TEST(EstimateErrors, AFewRunsSayNothing) {
  EstimateErrors errors;
  measure(errors, 1, 3);
  EXPECT_DOUBLE_EQ(moved(errors, 1), 1);
  measure(errors, 1, 1);
  EXPECT_NEAR(moved(errors, 1), 0, 0.02);
}

TEST(EstimateErrors, WhatNeverRanIsAsWrongAsAll) {
  EstimateErrors errors;
  for (int i = 0; i < 64; ++i) errors.measured(kCodelet + 1, kClass + 1, 1, std::exp(1));
  EXPECT_NEAR(moved(errors, 1), 0, 0.02) << "its own estimates move to their own mean";
  measure(errors, 0);
  EXPECT_DOUBLE_EQ(moved(errors, 1), 1) << "its own runs count";
}

TEST(EstimateErrors, CodeletsAndClassesHaveMeansOfTheirOwn) {
  EstimateErrors errors;
  measure(errors, 1);
  moved(errors, 1);
  EXPECT_EQ(errors.expected(kCodelet, kClass + 1, 7), 7);
  EXPECT_EQ(errors.expected(kCodelet + 1, kClass, 7), 7);
}

TEST(EstimateErrors, WhatIsNoTimeIsIgnored) {
  EstimateErrors errors;
  for (int i = 0; i < 100; ++i) {
    errors.measured(kCodelet, kClass, 0, 1);
    errors.measured(kCodelet, kClass, 1, 0);
    errors.measured(kCodelet, kClass, NAN, 1);
    errors.measured(kCodelet, kClass, 1, NAN);
    errors.measured(kCodelet, kClass, INFINITY, 1);
    errors.measured(kCodelet, kClass, 1, INFINITY);
    EXPECT_EQ(errors.expected(kCodelet, kClass, INFINITY), INFINITY);
  }
  EXPECT_DOUBLE_EQ(moved(errors, 1), 1);
  EXPECT_EQ(errors.expected(kCodelet, kClass, 0), 0);
}

TEST(EstimateErrors, ErrorsOfTasksAlikeShrink) {
  EstimateErrors errors;
  measure(errors, 0.3);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.3);
  double before = 0, after = 0;
  for (int i = 0; i < 2000; ++i) {
    const double estimate = std::exp(normal(random));
    const double expected = errors.expected(kCodelet, kClass, estimate);
    if (i < 1000) continue;  // it has to see some first
    before += std::abs(std::log(estimate));
    after += std::abs(std::log(expected));
  }
  EXPECT_LT(after, 0.5 * before);
}

TEST(EstimateErrors, AnEstimateFarFromAllOthersNearlyStays) {
  EstimateErrors errors;
  measure(errors, 0.1);
  for (int i = 0; i < 500; ++i) errors.expected(kCodelet, kClass, 1e-3);
  EXPECT_NEAR(errors.expected(kCodelet, kClass, 10), 10, 2);
}

}  // namespace
}  // namespace starpath
