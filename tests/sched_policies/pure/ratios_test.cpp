// Steps of ratios: monotonous, and no wider than is said.
#include "sched_policies/planning/ratios.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace starpath {
namespace {

TEST(Ratios, AStepIsAQuarterWideAtMost) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(0, 60);
  std::map<unsigned, std::pair<double, double>> ends;  // least and greatest ratio of a step
  for (int i = 0; i < 100'000; ++i) {
    const double ratio = std::exp2(exponent(random));
    auto& [least, greatest] = ends.try_emplace(step_of(ratio), ratio, ratio).first->second;
    least = std::min(least, ratio);
    greatest = std::max(greatest, ratio);
  }
  EXPECT_GT(ends.size(), 200U);
  double before = 0;
  for (const auto& [step, end] : ends) {
    EXPECT_GT(end.first, before);
    EXPECT_LE(end.second, 1.25 * end.first);
    before = end.second;
  }
}

TEST(Ratios, AreRoundedSoThatEqualTimesAreOfOneStep) {
  EXPECT_EQ(step_of(1), 0);
  EXPECT_EQ(step_of(1.1), 0);
  EXPECT_EQ(step_of(1.99), step_of(2.01));
  EXPECT_EQ(step_of(std::numeric_limits<double>::infinity()), 255);
  EXPECT_EQ(step_of(1e30), 255);
}

}  // namespace
}  // namespace starpath
