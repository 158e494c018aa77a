// The cache of speedups: what it knows, it was told under the same key.
#include "sched_policies/estimates/speedup_cache.hpp"

#include <gtest/gtest.h>

#include <set>

namespace starpath {
namespace {

SpeedupCache::Key key_of(unsigned codelet, std::uint64_t version, double size) {
  SpeedupCache::Key key{.codelet = codelet, .version = version, .implementations = {1, 1}, .features = {}};
  key.features.numeric[0] = size;
  key.features.numeric_count = 1;
  return key;
}

TaskEstimates speedup(double value) {
  TaskEstimates estimates;
  estimates.speedups.set(1, value);
  return estimates;
}

TEST(SpeedupCache, KnowsNothingAtFirst) { EXPECT_EQ(SpeedupCache().find(key_of(0, 1, 0)), nullptr); }

TEST(SpeedupCache, EveryPartOfTheKeyCounts) {
  SpeedupCache cache;
  const auto key = key_of(3, 7, 4096);
  cache.store(key, speedup(5));
  ASSERT_NE(cache.find(key), nullptr);
  EXPECT_EQ(cache.find(key)->speedups.of(1), 5);
  EXPECT_EQ(cache.find(key_of(2, 7, 4096)), nullptr);
  EXPECT_EQ(cache.find(key_of(3, 8, 4096)), nullptr);
  EXPECT_EQ(cache.find(key_of(3, 7, 4095)), nullptr);
  auto other = key;
  other.implementations[1] = 3;
  EXPECT_EQ(cache.find(other), nullptr);
  other = key;
  other.features.categorical[0] = 1;
  EXPECT_EQ(cache.find(other), nullptr);
}

TEST(SpeedupCache, NeverAnswersForAnotherKeyHoweverFull) {
  SpeedupCache cache;
  std::size_t found = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    cache.store(key_of(i % 5, 1, i), speedup(i));
    for (unsigned j = 0; j <= i; ++j) {
      const TaskEstimates* known = cache.find(key_of(j % 5, 1, j));
      if (known == nullptr) continue;
      ++found;
      ASSERT_EQ(known->speedups.of(1), j);
    }
  }
  EXPECT_GT(found, 1000U);  // the latest at the least, and others
}

/// Sizes of data are round: as floating-point numbers they differ in a few bits.
TEST(SpeedupCache, HoldsManyRoundSizesAtOnce) {
  for (const double step : {1.0, 256.0, 4096.0, 1048576.0}) {
    SpeedupCache cache;
    for (int i = 1; i <= 16; ++i) cache.store(key_of(0, 1, i * step), speedup(i));
    int found = 0;
    for (int i = 1; i <= 16; ++i) found += cache.find(key_of(0, 1, i * step)) != nullptr ? 1 : 0;
    EXPECT_GE(found, 12) << "multiples of " << step;
  }
}

TEST(RecentEstimates, HaveOtherPlacesForOtherRoundSizes) {
  RecentEstimates recent;
  std::set<const RecentEstimates::Entry*> places;
  for (int i = 1; i <= 8; ++i) places.insert(&recent.entry(key_of(0, 1, i * 4096.0).features, "codelet"));
  EXPECT_GE(places.size(), 6U);
}

}  // namespace
}  // namespace starpath
