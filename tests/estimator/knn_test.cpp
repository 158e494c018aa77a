// The kNN estimator on hand-checked samples.
#include "estimator/knn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace starpath {
namespace {

Features point(std::initializer_list<double> numeric, std::initializer_list<std::int64_t> categorical = {}) {
  Features features;
  for (const double value : numeric) features.add_numeric(value);
  for (const std::int64_t value : categorical) features.add_categorical(value);
  return features;
}

TEST(Knn, NothingIsKnownAtFirst) {
  KnnEstimator estimator;
  const unsigned codelet = estimator.codelet("a");
  EXPECT_EQ(estimator.seconds(codelet, 0, point({1})), std::nullopt);
  EXPECT_EQ(estimator.speedup(codelet, 0, 1, point({1})), std::nullopt);
}

TEST(Knn, AveragesTheTwoNearestOfTheClass) {
  KnnEstimator estimator;
  const unsigned codelet = estimator.codelet("a");
  for (const auto& [at, seconds] : {std::pair{0.0, 1.0}, {10.0, 3.0}, {11.0, 5.0}, {100.0, 50.0}}) {
    ASSERT_TRUE(estimator.learn(codelet, {.features = point({at}), .device_class = 0, .seconds = seconds}));
  }
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({10.4})).value(), 4.0);
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({1})).value(), 2.0);
  EXPECT_EQ(estimator.seconds(codelet, 1, point({10})), std::nullopt);
  EXPECT_EQ(estimator.seconds(estimator.codelet("b"), 0, point({10})), std::nullopt);
}

TEST(Knn, SpeedupIsTheRatioOfTheTimes) {
  KnnEstimator estimator({.k = 1});
  const unsigned codelet = estimator.codelet("a");
  estimator.learn(codelet, {.features = point({1}), .device_class = 0, .seconds = 12});
  EXPECT_EQ(estimator.speedup(codelet, 0, 2, point({1})), std::nullopt);
  estimator.learn(codelet, {.features = point({1}), .device_class = 2, .seconds = 3});
  EXPECT_DOUBLE_EQ(estimator.speedup(codelet, 0, 2, point({1})).value(), 4.0);
}

TEST(Knn, DimensionsCountRelativeToTheirHighestValue) {
  KnnEstimator estimator({.k = 1});
  const unsigned codelet = estimator.codelet("a");
  // Scales: 1000 and 2. From (500, 2): to (1000, 2) is 0.5; to (500, 0) is 1.
  estimator.learn(codelet, {.features = point({1000, 2}), .device_class = 0, .seconds = 7});
  estimator.learn(codelet, {.features = point({500, 0}), .device_class = 0, .seconds = 9});
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({500, 2})).value(), 7);
}

TEST(Knn, NegativeValuesCountByTheirMagnitude) {
  KnnEstimator estimator({.k = 1});
  const unsigned codelet = estimator.codelet("a");
  estimator.learn(codelet, {.features = point({-1000}), .device_class = 0, .seconds = 7});
  estimator.learn(codelet, {.features = point({-10}), .device_class = 0, .seconds = 9});
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({-900})).value(), 7);
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({-1})).value(), 9);
}

TEST(Knn, ACategoricalMismatchAddsOne) {
  KnnEstimator estimator({.k = 1});
  const unsigned codelet = estimator.codelet("a");
  // Scale 10. From (1, category 0): the same category 9 away is 0.81 squared, another category at 1 is 1 squared.
  estimator.learn(codelet, {.features = point({10}, {0}), .device_class = 0, .seconds = 7});
  estimator.learn(codelet, {.features = point({1}, {1}), .device_class = 0, .seconds = 9});
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({1}, {0})).value(), 7);
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({1}, {1})).value(), 9);
}

TEST(Knn, MoreNeighboursThanSamplesMeansAllOfThem) {
  KnnEstimator estimator({.k = 8});
  const unsigned codelet = estimator.codelet("a");
  estimator.learn(codelet, {.features = point({1}), .device_class = 0, .seconds = 1});
  estimator.learn(codelet, {.features = point({9}), .device_class = 0, .seconds = 2});
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, point({1})).value(), 1.5);
}

TEST(Knn, TheVersionTellsWhetherSamplesChanged) {
  KnnEstimator estimator({.k = 1, .capacity = 10});
  const unsigned codelet = estimator.codelet("a");
  const unsigned other = estimator.codelet("b");
  std::uint64_t version = estimator.version(codelet);
  const std::uint64_t other_version = estimator.version(other);
  EXPECT_GT(version, 0U);
  int kept = 0;
  for (int i = 1; i <= 1000; ++i) {
    const auto before = estimator.seconds(codelet, 0, point({1}));
    ASSERT_TRUE(estimator.learn(codelet, {.features = point({1}), .device_class = 0, .seconds = 1.0 * i}));
    const bool changed = estimator.version(codelet) != version;
    version = estimator.version(codelet);
    if (changed) ++kept;
    if (!changed) {
      EXPECT_EQ(estimator.seconds(codelet, 0, point({1})), before) << i;
    }
  }
  EXPECT_GE(kept, 10);
  EXPECT_LT(kept, 200);  // of a full reservoir most samples change nothing
  // One that is not kept may still change distances.
  ASSERT_TRUE(estimator.learn(codelet, {.features = point({1e6}), .device_class = 0, .seconds = 1}));
  EXPECT_GT(estimator.version(codelet), version);
  EXPECT_EQ(estimator.version(other), other_version);
}

TEST(Knn, RefusesTimesThatAreNone) {
  KnnEstimator estimator;
  const unsigned codelet = estimator.codelet("a");
  for (const double seconds :
       {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(estimator.learn(codelet, {.features = point({1}), .device_class = 0, .seconds = seconds}));
  }
  EXPECT_EQ(estimator.seconds(codelet, 0, point({1})), std::nullopt);
}

TEST(Knn, TakesNoFeatureThatIsNone) {
  Features features;
  EXPECT_FALSE(features.add_numeric(std::nan("")));
  EXPECT_FALSE(features.add_numeric(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(features.numeric_count, 0);
}

}  // namespace
}  // namespace starpath
