// The bounded sample set: what it keeps, and its search beside a plain one.
#include "estimator/sample_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace starpath {
namespace {

Features point(std::mt19937_64& random, std::size_t dimensions) {
  std::uniform_real_distribution<double> unit(-1, 1);
  Features features;
  for (std::size_t d = 0; d < dimensions; ++d) features.add_numeric(unit(random) * static_cast<double>(d + 1));
  features.add_categorical(static_cast<std::int64_t>(random() % 3));
  return features;
}

void widen(Scale& scale, const Features& features) {
  for (std::size_t d = 0; d < scale.size(); ++d) scale[d] = std::max(scale[d], std::abs(features.numeric[d]));
}

/// The definition, without any cleverness.
double plain_mean(const std::vector<SampleSet::Entry>& entries, const Features& query, std::size_t k,
                  const Scale& scale) {
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    double distance = 0;
    for (std::size_t d = 0; d < scale.size(); ++d) {
      if (scale[d] > 0) distance += std::pow((entries[i].features.numeric[d] - query.numeric[d]) / scale[d], 2);
    }
    for (std::size_t c = 0; c < Features::kMaxCategorical; ++c) {
      if (entries[i].features.categorical[c] != query.categorical[c]) distance += 1;
    }
    distances.emplace_back(distance, i);
  }
  std::ranges::sort(distances);
  const std::size_t count = std::min(k, distances.size());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += entries[distances[i].second].seconds;
  return sum / static_cast<double>(count);
}

TEST(SampleSet, FindsWhatThePlainSearchFinds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::size_t dimensions = 1 + random() % Features::kMaxNumeric;
    const std::size_t count = 1 + random() % (seed % 2 == 0 ? 70 : 3000);
    SampleSet set(2500, seed);
    std::vector<Features> points;
    Scale scale{};
    for (std::size_t i = 0; i < count; ++i) widen(scale, points.emplace_back(point(random, dimensions)));
    for (const Features& features : points) {
      set.add(features, 200.5 + static_cast<double>(random() % 1000), scale);
    }
    for (std::size_t k : {1U, 2U, 5U, 32U, 33U, 64U}) {
      const Features query = point(random, dimensions);
      const double expected = plain_mean(set.entries(), query, k, scale);
      EXPECT_NEAR(set.nearest(query, k, scale).value().seconds, expected, 1e-9 * expected) << "k " << k;
    }
  }
}

TEST(SampleSet, AFullBlockIsSearchedToItsEnd) {
  for (std::size_t size : {31U, 32U, 33U, 1024U, 1025U}) {
    SampleSet set(size, 1);
    const Scale scale{1};
    Features features;
    features.add_numeric(0);
    for (std::size_t i = 0; i < size; ++i) {
      features.numeric[0] = i + 1 == size ? 1 : 0;
      set.add(features, i + 1 == size ? 7 : 1, scale);
    }
    EXPECT_DOUBLE_EQ(set.nearest(features, 1, scale).value().seconds, 7) << size;
  }
}

TEST(SampleSet, TellsWhatTheNearestTookOverAModel) {
  SampleSet set(10, 1);
  Features features;
  features.add_numeric(1);
  const Scale scale{1};
  set.add(features, 2, scale, 1);
  set.add(features, 6, scale, 2);
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, scale).value().over_model, 2.5);
  Features other;
  other.add_numeric(0.5);
  set.add(other, 5, scale);
  EXPECT_EQ(set.nearest(features, 3, scale).value().over_model, 0) << "a model said nothing of the third";
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, scale).value().over_model, 2.5);
}

TEST(SampleSet, NothingIsNearWhatIsInfinitelyFar) {
  SampleSet set(10, 1);
  Features features;
  features.add_numeric(1e-300);
  const Scale scale{1e-300};
  set.add(features, 1, scale);
  features.numeric[0] = 1e300;
  EXPECT_FALSE(set.nearest(features, 2, scale).has_value());
}

TEST(SampleSet, ADimensionThatOthersLackIsZeroThere) {
  std::mt19937_64 random(7);
  SampleSet set(200, 1);
  Scale scale{};
  scale.fill(Features::kMaxNumeric);
  for (std::size_t i = 0; i < 300; ++i) {  // more dimensions and categories with time, and then fewer again
    Features features = point(random, i < 280 ? 1 + i / 20 : 1);
    if (i >= 100) features.add_categorical(static_cast<std::int64_t>(random() % 3));
    set.add(features, 200.5 + static_cast<double>(random() % 1000), scale);
    const Features query = point(random, 1 + random() % Features::kMaxNumeric);
    for (const std::size_t k : {1U, 3U}) {
      EXPECT_NEAR(set.nearest(query, k, scale)->seconds, plain_mean(set.entries(), query, k, scale), 1e-9) << i;
    }
  }
}

TEST(SampleSet, KeepsAnEvenShareOfWhatItWasOffered) {
  // 50 places for 1000 samples, 200 times: a sample of each hundred is kept 5 times in 100 on average.
  std::array<int, 10> kept{};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SampleSet set(50, seed);
    Features features;
    for (int i = 0; i < 1000; ++i) set.add(features, i + 1, Scale{});
    ASSERT_EQ(set.size(), 50U);
    for (const auto& entry : set.entries()) ++kept[static_cast<std::size_t>(entry.seconds - 1) / 100];
  }
  for (const int count : kept) EXPECT_NEAR(count, 1000, 150);
}

TEST(SampleSet, OfTasksThatAreAllAlikeTheMedianCounts) {
  SampleSet set(10, 1);
  const Features features;
  set.add(features, 97, Scale{}, 1);
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, Scale{}).value().seconds, 97);
  set.add(features, 3, Scale{}, 1);
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, Scale{}).value().seconds, 3) << "something delayed the other one";
  for (double seconds : {1.0, 2.0, 4.0}) set.add(features, seconds, Scale{}, 1);
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, Scale{}).value().seconds, 3);
  EXPECT_DOUBLE_EQ(set.nearest(features, 2, Scale{}).value().over_model, 3);
}

Features at(double value) {
  Features features;
  features.add_numeric(value);
  return features;
}

TEST(SampleSet, ADelayedTaskHardlyCountsAmongOthersLikeIt) {
  SampleSet set(10, 1);
  const Scale scale{10};
  set.add(at(9), 100, scale, 1);
  set.add(at(10), 0.1, scale, 1);
  EXPECT_DOUBLE_EQ(set.nearest(at(9), 2, scale).value().seconds, 0.1);
  EXPECT_DOUBLE_EQ(set.nearest(at(9), 2, scale).value().over_model, 0.1);
  set.add(at(8), 0.3, scale, 1);
  set.add(at(7), 0.2, scale, 1);
  EXPECT_DOUBLE_EQ(set.nearest(at(9), 4, scale).value().seconds, (0.2 + 0.3) / 2) << "the median";
  EXPECT_DOUBLE_EQ(set.nearest(at(7), 2, scale).value().seconds, (0.2 + 0.3) / 2) << "these agree, so the mean";
}

TEST(SampleSet, UnlikeInputsMayTakeUnlikeTimes) {
  SampleSet set(10, 1);
  const Scale scale{10};
  set.add(at(10), 100, scale);
  set.add(at(4), 0.1, scale);
  EXPECT_DOUBLE_EQ(set.nearest(at(9), 2, scale).value().seconds, 50.05);
  Features other = at(10);
  other.add_categorical(1);
  set.add(other, 0.1, scale);
  EXPECT_DOUBLE_EQ(set.nearest(at(10), 2, scale).value().seconds, 50.05);
}

TEST(SampleSet, WhatIsAsFarAsTheLastSharesThePlacesThatAreLeft) {
  SampleSet set(4096, 1);
  const Scale scale{10};
  set.add(at(0), 8, scale);
  for (int i = 0; i < 3; ++i) set.add(at(1), i == 0 ? 100 : 2, scale);
  EXPECT_DOUBLE_EQ(set.nearest(at(0), 1, scale).value().seconds, 8);
  EXPECT_DOUBLE_EQ(set.nearest(at(0), 2, scale).value().seconds, (8 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(set.nearest(at(0), 3, scale).value().seconds, (8 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(set.nearest(at(0), 64, scale).value().seconds, (8 + 3 * 2) / 4.0) << "there are four";
  // Of more than 64 the last ones count, wherever they lie.
  for (int i = 0; i < 3000; ++i) set.add(at(1), i < 2930 ? 5 : 7, scale);
  EXPECT_DOUBLE_EQ(set.nearest(at(1), 2, scale).value().seconds, 7);
}

}  // namespace
}  // namespace starpath
