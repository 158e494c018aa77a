// The cache of speedups: what it knows, it was told under the same key.
#include "sched_policies/estimates/speedup_cache.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace starpath
