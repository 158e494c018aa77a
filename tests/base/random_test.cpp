// The sequences of random numbers that recorded results depend on.
#include "base/pure/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace starpath {
namespace {

// The first numbers of the public reference implementation, for the seed 0.
TEST(Random, SplitMix64IsTheKnownSequence) {
  SplitMix64 random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(random.next(), 0x06c45d188009454fU);
}

TEST(Random, Lcg64MultipliesAndAdds) {
  Lcg64 random(1);
  const std::uint64_t first = 6364136223846793005U + 1442695040888963407U;
  EXPECT_EQ(random.next(), first);
  EXPECT_EQ(random.next(), first * 6364136223846793005U + 1442695040888963407U);
}

TEST(Random, DistributionsHaveTheirMoments) {
  SplitMix64 random(1);
  constexpr int kDraws = 100'000;
  double sum = 0, logs = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double uniform = random.uniform(), log = std::log(random.lognormal(0.5));
    EXPECT_GE(uniform, 0);
    EXPECT_LT(uniform, 1);
    sum += uniform;
    logs += log;
    squares += log * log;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.005);
  EXPECT_NEAR(logs / kDraws, 0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / kDraws), 0.5, 0.01);
}

}  // namespace
}  // namespace starpath
