// Cross-validation on samples whose errors are known.
#include "estimator/validation.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

namespace starpath {
namespace {

Sample sample(double at, unsigned device_class, double seconds) {
  Sample made{.features = {}, .device_class = device_class, .seconds = seconds};
  made.features.add_numeric(at);
  return made;
}

TEST(CrossValidation, NothingToCompareWithFewerThanTwoInputs) {
  EXPECT_EQ(cross_validate({}, {}).time, std::nullopt);
  const std::vector<Sample> one = {sample(1, 0, 5), sample(1, 0, 5), sample(1, 1, 1)};
  EXPECT_EQ(cross_validate(one, {}).time, std::nullopt);
  EXPECT_EQ(cross_validate(one, {}).speedup, std::nullopt);
}

TEST(CrossValidation, ConstantTimesHaveNoError) {
  std::vector<Sample> samples;
  for (int i = 0; i < 30; ++i) {
    samples.push_back(sample(i, 0, 8));
    samples.push_back(sample(i, 1, 2));
  }
  const ValidationErrors errors = cross_validate(samples, {});
  EXPECT_EQ(errors.time, 0.0);
  EXPECT_EQ(errors.speedup, 0.0);
  EXPECT_EQ(errors.times, 60U);
  EXPECT_EQ(errors.speedups, 30U);
}

TEST(CrossValidation, AnInputIsNeverEstimatedFromItself) {
  // Two inputs of 1 s and 3 s: each is estimated as the other. Errors 2/1 and 2/3, mean 4/3. Speedups 1 and 3.
  const std::vector<Sample> samples = {sample(1, 0, 1), sample(2, 0, 3), sample(1, 1, 1), sample(2, 1, 1)};
  const ValidationErrors errors = cross_validate(samples, {.k = 1});
  EXPECT_DOUBLE_EQ(errors.time.value(), (2.0 + 2.0 / 3 + 0 + 0) / 4);
  EXPECT_DOUBLE_EQ(errors.speedup.value(), (2.0 + 2.0 / 3) / 2);
}

TEST(CrossValidation, APartIsNeverEstimatedFromItself) {
  // Slides of 1 s and 3 s a tile: each is estimated as the other, although tiles of the same slide are nearer.
  const std::vector<Sample> samples = {sample(1, 0, 1), sample(2, 0, 1), sample(11, 0, 3), sample(12, 0, 3)};
  const std::vector<unsigned> slides = {7, 7, 9, 9};
  EXPECT_DOUBLE_EQ(cross_validate(samples, {.k = 1}, slides).time.value(), (2.0 + 2.0 / 3) / 2);
  EXPECT_EQ(cross_validate(samples, {.k = 1}, slides).times, 4U);
  EXPECT_DOUBLE_EQ(cross_validate(samples, {.k = 1}).time.value(), 0);
  EXPECT_EQ(cross_validate(samples, {}, std::vector<unsigned>{4, 4, 4, 4}).time, std::nullopt);
}

TEST(CrossValidation, SpeedupsNeedTheBaseline) {
  const std::vector<Sample> samples = {sample(1, 1, 1), sample(2, 1, 1), sample(3, 2, 1)};
  EXPECT_EQ(cross_validate(samples, {}).speedup, std::nullopt);
  EXPECT_EQ(cross_validate(samples, {}).time, 0.0);
}

TEST(CrossValidation, ErrorsOfEachClassAndOfAnyLearner) {
  /// Says 2 s of every task, and that it is off by a half.
  struct Two : Learner {
    bool learn(std::span<const Sample>) override { return false; }
    std::optional<TimeEstimate> estimate(unsigned, const Features&) const override {
      return TimeEstimate{.seconds = 2, .error = 0.5};
    }
  };
  const std::vector<Sample> samples = {sample(1, 0, 4), sample(2, 0, 4), sample(1, 1, 1), sample(2, 1, 1)};
  const ValidationErrors errors = cross_validate(samples, {.learner = [] { return std::make_unique<Two>(); }});
  ASSERT_EQ(errors.of_class.size(), 2U);
  EXPECT_DOUBLE_EQ(errors.of_class[0].time.value(), 0.5);
  EXPECT_EQ(errors.of_class[0].speedup, std::nullopt);
  EXPECT_DOUBLE_EQ(errors.of_class[1].time.value(), 1);
  EXPECT_DOUBLE_EQ(errors.of_class[1].speedup.value(), 0.75);
  EXPECT_EQ(errors.of_class[1].speedups, 2U);
  EXPECT_DOUBLE_EQ(errors.time.value(), 0.75);
  EXPECT_DOUBLE_EQ(errors.stated.value(), 0.5);
}

TEST(CrossValidation, SmoothTimesAreEstimatedWell) {
  std::vector<Sample> samples;
  for (int i = 1; i <= 200; ++i) {
    samples.push_back(sample(i, 0, 0.01 * i));
    samples.push_back(sample(i, 1, 0.001 * i + 0.05));
  }
  const ValidationErrors errors = cross_validate(samples, {});
  EXPECT_LT(errors.time.value(), 0.05);
  EXPECT_LT(errors.speedup.value(), 0.05);
}

}  // namespace
}  // namespace starpath
