// What estimates are taken for once runs have shown how wrong they are.
#include "sched_policies/apex/estimate_errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(EstimateErrors, RightEstimatesStay) {
  EstimateErrors errors;
  for (const double seconds : {1e-3, 1.1e-3, 0.9e-3, 7.0})
    EXPECT_EQ(errors.expected(kCodelet, kClass, seconds), seconds);
  measure(errors, 0);
  EXPECT_EQ(errors.sigma(kCodelet, kClass), 0);
  for (const double seconds : {1e-3, 1.1e-3, 0.9e-3, 7.0})
    EXPECT_EQ(errors.expected(kCodelet, kClass, seconds), seconds);
}

TEST(EstimateErrors, SigmaIsThatOfTheErrorAndNotOfAFewOutliers) {
  EstimateErrors errors;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.4);
  for (int i = 0; i < 64; ++i) {
    const double outlier = i % 8 == 0 ? 100 : 1;
    errors.measured(kCodelet, kClass, 2, 2 * std::exp(normal(random)) * outlier);
  }
  EXPECT_NEAR(errors.sigma(kCodelet, kClass), 0.4, 0.15);
  EXPECT_EQ(errors.sigma(kCodelet, kClass + 1), 0);
  EXPECT_EQ(errors.sigma(kCodelet + 1, kClass), 0);
}

TEST(EstimateErrors, AFewRunsSayNothing) {
  EstimateErrors errors;
  measure(errors, 1, 7);
  EXPECT_EQ(errors.sigma(kCodelet, kClass), 0);
  measure(errors, 1, 1);
  EXPECT_GT(errors.sigma(kCodelet, kClass), 0);
}

TEST(EstimateErrors, WhatIsNoTimeIsIgnored) {
  EstimateErrors errors;
  for (int i = 0; i < 100; ++i) {
    errors.measured(kCodelet, kClass, 0, 1);
    errors.measured(kCodelet, kClass, 1, 0);
    errors.measured(kCodelet, kClass, NAN, 1);
    errors.measured(kCodelet, kClass, 1, NAN);
  }
  EXPECT_EQ(errors.sigma(kCodelet, kClass), 0);
}

TEST(EstimateErrors, ErrorsOfTasksAlikeShrinkAndKindsStayApart) {
  EstimateErrors errors;
  measure(errors, 0.3 / 3.1387);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 0.3);
  double before = 0, after = 0;
  for (int i = 0; i < 2000; ++i) {
    const double truth = i % 4 == 0 ? 1.0 : 1e-3;  // two kinds under one name, far apart
    const double estimate = truth * std::exp(normal(random));
    const double expected = errors.expected(kCodelet, kClass, estimate);
    if (i < 1000) continue;  // it has to see some first
    before += std::abs(std::log(estimate / truth));
    after += std::abs(std::log(expected / truth));
  }
  EXPECT_LT(after, 0.6 * before);
}

TEST(EstimateErrors, AnEstimateWithoutOthersNearItStays) {
  EstimateErrors errors;
  measure(errors, 0.3 / 3.1387);
  for (int i = 0; i < 500; ++i) errors.expected(kCodelet, kClass, 1e-3);
  EXPECT_NEAR(errors.expected(kCodelet, kClass, 10), 10, 1e-9);
  EXPECT_NEAR(errors.expected(kCodelet, kClass, 1e-30), 1e-30, 1e-39);
  EXPECT_EQ(errors.expected(kCodelet, kClass, 0), 0);
}

}  // namespace
}  // namespace starpath
