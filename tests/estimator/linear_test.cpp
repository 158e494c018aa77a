// Local linear regression on hand-checked samples, and the errors that learners state.
#include "estimator/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "estimator/knn.hpp"

namespace starpath {
namespace {

Features place(double x, double y = 0, std::int64_t category = 0) {
  Features features;
  features.add_numeric(x);
  features.add_numeric(y);
  features.add_categorical(category);
  return features;
}

Sample timed(const Features& features, double seconds, unsigned device_class = 0) {
  return {.features = features, .device_class = device_class, .seconds = seconds};
}

LinearLearner taught(const std::vector<Sample>& samples) {
  LinearLearner learner(1024, 1);
  EXPECT_TRUE(learner.learn(samples));
  return learner;
}

TEST(Linear, KnowsWhatItHasSamplesOf) {
  EXPECT_EQ(LinearLearner(1024, 1).estimate(0, place(1)), std::nullopt);
  const LinearLearner one = taught({timed(place(5), 3, 1)});
  EXPECT_EQ(one.estimate(0, place(5)), std::nullopt);
  EXPECT_EQ(one.estimate(2, place(5)), std::nullopt);
  EXPECT_DOUBLE_EQ(one.estimate(1, place(9))->seconds, 3);
  EXPECT_EQ(one.estimate(1, place(9))->error, std::numeric_limits<double>::infinity());
}

TEST(Linear, FollowsATrendBetweenSamplesAndBeyond) {
  std::vector<Sample> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(timed(place(10 + i, i % 10), 5 + 0.1 * i + 0.3 * (i % 10)));
  const LinearLearner linear = taught(samples);
  EXPECT_NEAR(linear.estimate(0, place(60.5, 4.5))->seconds, 5 + 0.1 * 50.5 + 0.3 * 4.5, 0.2);
  KnnEstimator knn({.k = 2});
  knn.learn(knn.codelet("a"), samples);
  const double truth = 5 + 0.1 * 110 + 0.3 * 9;
  EXPECT_NEAR(linear.estimate(0, place(120, 9))->seconds, truth, 0.05 * truth);
  EXPECT_LT(knn.seconds(0, 0, place(120, 9)).value(), 0.95 * truth);
}

TEST(Linear, StaysNearTheTimesThatItKnows) {
  std::vector<Sample> samples;
  for (int i = 1; i <= 20; ++i) samples.push_back(timed(place(i), 1.0 * i));
  const LinearLearner linear = taught(samples);
  EXPECT_LE(linear.estimate(0, place(1e6))->seconds, 2 * 20);
  EXPECT_GE(linear.estimate(0, place(-1e6))->seconds, 0.5);
}

TEST(Linear, ADelayedTaskDecidesLittle) {
  std::vector<Sample> samples(15, timed(place(3), 1));
  samples.push_back(timed(place(3), 100));
  EXPECT_NEAR(taught(samples).estimate(0, place(3))->seconds, 16 / 15.01, 1e-6);  // weights 15 times 1, and 0.01
}

TEST(Linear, AnotherCategoryIsFar) {
  std::vector<Sample> samples;
  for (int i = 0; i < 40; ++i) samples.push_back(timed(place(i, 0, i % 2), i % 2 == 0 ? 1 : 5));
  const LinearLearner linear = taught(samples);
  EXPECT_NEAR(linear.estimate(0, place(20, 0, 0))->seconds, 1, 1e-9);
  EXPECT_NEAR(linear.estimate(0, place(20, 0, 1))->seconds, 5, 1e-9);
}

TEST(Linear, ItsErrorIsTheSpreadAboutThePlane) {
  EXPECT_NEAR(taught(std::vector<Sample>(8, timed(place(3), 7))).estimate(0, place(3))->error, 0, 1e-12);
  std::vector<Sample> samples;
  for (int i = 0; i < 16; ++i) samples.push_back(timed(place(3), i % 2 == 0 ? 0.9 : 1.1));
  EXPECT_NEAR(taught(samples).estimate(0, place(3))->error, 0.1, 0.01);
}

TEST(Linear, EveryEstimateIsFiniteAndAboveZero) {
  std::mt19937_64 random(5);
  const double values[] = {0, 1, -1, 1e-300, 1e300, -1e300, 1e9, 1e9 + 1, 3};
  const auto value = [&] { return values[random() % std::size(values)]; };
  for (int round = 0; round < 300; ++round) {
    LinearLearner linear(64, 1);
    for (std::size_t i = 0, count = 1 + random() % 40; i < count; ++i) {
      const Sample sample = timed(place(value(), value()), std::pow(10.0, static_cast<double>(random() % 300) - 150));
      linear.learn(std::span(&sample, 1));
    }
    const auto found = linear.estimate(0, place(value(), value()));
    if (!found) continue;  // infinitely far
    EXPECT_TRUE(std::isfinite(found->seconds) && found->seconds > 0) << found->seconds;
    EXPECT_GE(found->error, 0);
  }
}

TEST(KnnError, IsTheSpreadOfTheNearestAsAShareOfTheirMean) {
  KnnEstimator estimator({.k = 2});
  const unsigned codelet = estimator.codelet("a");
  estimator.learn(codelet, timed(place(1), 1));
  EXPECT_EQ(estimator.estimate(codelet, 0, place(1))->error, std::numeric_limits<double>::infinity());
  estimator.learn(codelet, timed(place(2), 3));
  EXPECT_DOUBLE_EQ(estimator.estimate(codelet, 0, place(1))->error, std::sqrt(0.5));  // 1 and 3 about 2
  for (int i = 0; i < 3; ++i) estimator.learn(codelet, timed(place(9), 5));
  EXPECT_EQ(estimator.estimate(codelet, 0, place(9))->error, 0);
}

}  // namespace
}  // namespace starpath
