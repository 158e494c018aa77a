// The regression tree on hand-checked samples, and the errors that learners state.
#include "estimator/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "estimator/knn.hpp"

namespace starpath {
namespace {

using Entry = SampleSet::Entry;

Features at(double x, double y = 0, std::int64_t category = 0) {
  Features features;
  features.add_numeric(x);
  features.add_numeric(y);
  features.add_categorical(category);
  return features;
}

TEST(Tree, KnowsNothingWithoutSamples) { EXPECT_EQ(RegressionTree().estimate(at(1)), std::nullopt); }

TEST(Tree, FewSamplesAreOneLeafOfTheirMedian) {
  const std::vector<Entry> samples = {{at(1), 1}, {at(2), 5}, {at(3), 2}};
  EXPECT_DOUBLE_EQ(RegressionTree(samples).estimate(at(2))->seconds, 2);
  EXPECT_EQ(RegressionTree(std::span(samples).first(1)).estimate(at(9))->error,
            std::numeric_limits<double>::infinity());
}

TEST(Tree, AsksAboutTheParameterThatDecides) {
  std::vector<Entry> samples;
  for (int i = 0; i < 40; ++i) samples.push_back({at(i, i % 7), i < 20 ? 1.0 : 10.0});
  const RegressionTree tree(samples);
  EXPECT_DOUBLE_EQ(tree.estimate(at(-100, 6))->seconds, 1);
  EXPECT_DOUBLE_EQ(tree.estimate(at(19.4, 0))->seconds, 1);
  EXPECT_DOUBLE_EQ(tree.estimate(at(19.6, 0))->seconds, 10);
  EXPECT_DOUBLE_EQ(tree.estimate(at(1e300, 0))->seconds, 10);
  EXPECT_EQ(tree.estimate(at(0))->error, 0);
}

TEST(Tree, CategoriesAreEqualOrNot) {
  std::vector<Entry> samples;
  for (int i = 0; i < 60; ++i) samples.push_back({at(1, 1, i % 3), i % 3 == 1 ? 4.0 : 2.0});
  const RegressionTree tree(samples);
  EXPECT_DOUBLE_EQ(tree.estimate(at(1, 1, 0))->seconds, 2);
  EXPECT_DOUBLE_EQ(tree.estimate(at(1, 1, 1))->seconds, 4);
  EXPECT_DOUBLE_EQ(tree.estimate(at(1, 1, 2))->seconds, 2);
  EXPECT_DOUBLE_EQ(tree.estimate(at(1, 1, 77))->seconds, 2);
}

TEST(Tree, TheErrorIsTheSpreadInTheLeaf) {
  const std::vector<Entry> samples = {{at(1), 8}, {at(1), 10}, {at(1), 12}};
  EXPECT_DOUBLE_EQ(RegressionTree(samples).estimate(at(1))->error, std::sqrt((0.04 + 0 + 0.04) / 2));
}

TEST(Tree, TheOrderOfSamplesDoesNotMatter) {
  std::mt19937_64 random(7);
  std::vector<Entry> samples;
  for (int i = 0; i < 500; ++i) {
    const double x = static_cast<double>(random() % 50), y = static_cast<double>(random() % 9);
    samples.push_back(
        {at(x, y, static_cast<std::int64_t>(random() % 2)), 1 + x * y + static_cast<double>(random() % 5)});
  }
  const RegressionTree tree(samples);
  std::ranges::shuffle(samples, random);
  const RegressionTree shuffled(samples);
  for (int i = 0; i < 1000; ++i) {
    const Features features = at(static_cast<double>(i % 60), i % 11, i % 3);
    EXPECT_EQ(tree.estimate(features)->seconds, shuffled.estimate(features)->seconds);
  }
}

TEST(Tree, LearnsEachClassByItselfAndTellsWhenItChanges) {
  TreeLearner learner(1024, 1);
  EXPECT_EQ(learner.estimate(0, at(1)), std::nullopt);
  std::size_t grown = 0;
  for (int i = 1; i <= 1000; ++i) {
    const Sample sample{.features = at(i), .device_class = 1, .seconds = 1.0 * i};
    const auto before = learner.estimate(1, at(500));
    const bool changed = learner.learn(std::span(&sample, 1));
    grown += changed ? 1 : 0;
    if (!changed) {
      EXPECT_EQ(learner.estimate(1, at(500))->seconds, before->seconds);
    }
  }
  EXPECT_EQ(learner.estimate(0, at(1)), std::nullopt);
  EXPECT_EQ(learner.estimate(2, at(1)), std::nullopt);
  EXPECT_NEAR(learner.estimate(1, at(500))->seconds, 500, 25);
  EXPECT_GT(grown, 40U);
  EXPECT_LT(grown, 80U);
}

TEST(Tree, NumbersAtTheEndsOfTheirRangeDoNoHarm) {
  constexpr double far = std::numeric_limits<double>::max(), most = 1e300, least = 1e-300;
  std::vector<Entry> samples;
  for (int i = 0; i < 8; ++i) {
    samples.push_back({at(-far), least});
    samples.push_back({at(far), most});
  }
  const RegressionTree tree(samples);
  EXPECT_EQ(tree.estimate(at(-1))->seconds, least);
  EXPECT_EQ(tree.estimate(at(1))->seconds, most);
}

TEST(KnnError, IsTheSpreadOfTheNearestAsAShareOfTheirMean) {
  KnnEstimator estimator({.k = 2});
  const unsigned codelet = estimator.codelet("a");
  estimator.learn(codelet, {.features = at(1), .device_class = 0, .seconds = 1});
  EXPECT_EQ(estimator.estimate(codelet, 0, at(1))->error, std::numeric_limits<double>::infinity());
  estimator.learn(codelet, {.features = at(2), .device_class = 0, .seconds = 3});
  EXPECT_DOUBLE_EQ(estimator.estimate(codelet, 0, at(1))->error, std::sqrt(0.5));  // 1 and 3 about 2
  for (int i = 0; i < 3; ++i) estimator.learn(codelet, {.features = at(9), .device_class = 0, .seconds = 5});
  EXPECT_EQ(estimator.estimate(codelet, 0, at(9))->error, 0);
}

}  // namespace
}  // namespace starpath
