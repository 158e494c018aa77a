// Reuse or the policy's choice: the inequality, unknown speedups, priorities, and which candidate is best.
#include "sched_policies/core/locality.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace starpath {
namespace {

const ReuseOffer kQueued{.speedup = 10, .bytes = 0, .priority = 0, .sequence = 1};

TEST(Locality, ComparesWithTheSpeedupLessTheTransfers) {
  for (const auto& [speedup, impact, reuse] :
       {std::tuple{10.0, 0.0, true}, {9.9, 0.0, false}, {7.0, 0.3, true}, {6.9, 0.3, false}, {0.1, 1.0, true}}) {
    const ReuseOffer dependent{.speedup = speedup, .bytes = 1, .sequence = 2};
    EXPECT_EQ(prefers_reuse(dependent, kQueued, impact), reuse) << speedup << " against 10 at impact " << impact;
  }
}

TEST(Locality, ReusesWheneverASpeedupIsUnknown) {
  const ReuseOffer slow{.speedup = 0.5, .bytes = 1, .sequence = 2};
  const ReuseOffer unknown{.speedup = {}, .bytes = 1, .sequence = 2};
  EXPECT_FALSE(prefers_reuse(slow, kQueued, 0));
  EXPECT_TRUE(prefers_reuse(unknown, kQueued, 0));
  EXPECT_TRUE(prefers_reuse(slow, {.speedup = {}, .sequence = 1}, 0));
}

TEST(Locality, LeavesTheChoiceWhenItReusesAsMuchOrIsMoreUrgent) {
  const ReuseOffer dependent{.speedup = 20, .bytes = 4, .sequence = 2};
  EXPECT_TRUE(prefers_reuse(dependent, {.speedup = 10, .bytes = 3}, 0));
  EXPECT_FALSE(prefers_reuse(dependent, {.speedup = 10, .bytes = 4}, 0));
  EXPECT_FALSE(prefers_reuse(dependent, {.speedup = 10, .bytes = 0, .priority = 1}, 0));
}

TEST(Locality, RanksCandidatesBySpeedupThenBytesThenAge) {
  const ReuseOffer base{.speedup = 5, .bytes = 10, .priority = 0, .sequence = 5};
  EXPECT_TRUE(better_reuse({.speedup = 6, .bytes = 1, .sequence = 9}, base));
  EXPECT_TRUE(better_reuse({.speedup = 5, .bytes = 11, .sequence = 9}, base));
  EXPECT_TRUE(better_reuse({.speedup = 5, .bytes = 10, .sequence = 4}, base));
  EXPECT_FALSE(better_reuse(base, base));
  EXPECT_TRUE(better_reuse({.speedup = {}, .bytes = 11, .sequence = 9}, base)) << "speedups compare only when known";
}

}  // namespace
}  // namespace starpath
