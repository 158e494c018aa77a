// Steps of ratios: the logarithm, rounded.
#include "sched_policies/apex/steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace starpath {
namespace {

TEST(Steps, AreTheRoundedLogarithm) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-60, 60);
  for (int i = 0; i < 100'000; ++i) {
    const double ratio = std::exp2(exponent(random));
    ASSERT_EQ(step_of(ratio), std::round(4 * std::log2(ratio))) << ratio;
  }
}

TEST(Steps, AtTheirEdges) {
  EXPECT_EQ(step_of(1), 0);
  EXPECT_EQ(step_of(std::nextafter(1.0, 0.0)), 0);
  EXPECT_EQ(step_of(2), 4);
  EXPECT_EQ(step_of(0.5), -4);
  for (int step = -40; step <= 40; ++step) {
    const double edge = std::exp2((step + 0.5) / 4);
    EXPECT_EQ(step_of(edge * (1 - 1e-15)), step);
    EXPECT_EQ(step_of(edge * (1 + 1e-15)), step + 1);
  }
  EXPECT_EQ(step_of(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(step_of(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace starpath
