// The test of independence against what can be counted by hand.
#include "statistics/permutation_test.hpp"

#include <gtest/gtest.h>

#include "base/pure/random.hpp"

namespace starpath {
namespace {

using Labels = std::vector<int>;
constexpr std::int64_t kMost = 10'000;

TEST(PermutationTest, CountsEveryArrangementOfFew) {
  // 4 and 4 that agree: of 70 arrangements two are as clear, this one and its mirror image.
  const PermutationTest test =
      test_independence(Labels{0, 0, 0, 0, 1, 1, 1, 1}, Labels{0, 0, 0, 0, 1, 1, 1, 1}, kMost, 1);
  EXPECT_TRUE(test.every);
  EXPECT_EQ(test.arrangements, 70);
  EXPECT_DOUBLE_EQ(test.p, 2.0 / 70);
  EXPECT_DOUBLE_EQ(test.least_p, 2.0 / 70);
  EXPECT_NEAR(test.chi_square, 8, 1e-12);
}

TEST(PermutationTest, IsFishersExactTestOfTwoByTwo) {
  // The tea of Fisher 1935, of two sides: three of four cups told right.
  const PermutationTest test =
      test_independence(Labels{0, 0, 0, 0, 1, 1, 1, 1}, Labels{0, 0, 0, 1, 1, 1, 1, 0}, kMost, 1);
  EXPECT_DOUBLE_EQ(test.p, 34.0 / 70);
}

TEST(PermutationTest, NoSixCanShowAnything) {
  EXPECT_DOUBLE_EQ(test_independence(Labels{0, 0, 0, 1, 1, 1}, Labels{0, 0, 0, 1, 1, 1}, kMost, 1).least_p, 0.1);
  EXPECT_DOUBLE_EQ(test_independence(Labels{0, 0, 1, 1, 2, 2}, Labels{0, 0, 1, 1, 2, 2}, kMost, 1).least_p, 6.0 / 90);
  EXPECT_DOUBLE_EQ(test_independence(Labels{0, 0, 1, 1, 1, 1}, Labels{0, 0, 1, 1, 1, 1}, kMost, 1).least_p, 1.0 / 15);
  EXPECT_DOUBLE_EQ(test_independence(Labels{0, 0, 0, 1, 1, 1, 1}, Labels{0, 0, 0, 1, 1, 1, 1}, kMost, 1).least_p,
                   1.0 / 35);
}

TEST(PermutationTest, DrawsWhenThereAreManyAndCountsItself) {
  Labels rows, columns;
  for (int i = 0; i < 40; ++i) {
    rows.push_back(i % 2);
    columns.push_back(i % 2);
  }
  const PermutationTest test = test_independence(rows, columns, 999, 1);
  EXPECT_FALSE(test.every);
  EXPECT_EQ(test.arrangements, 999);
  EXPECT_DOUBLE_EQ(test.p, 1.0 / 1000);
  const PermutationTest one_apart = test_independence(
      Labels(rows.begin(), rows.end()),
      [&] {
        Labels other(40, 0);
        other[0] = 1;
        return other;
      }(),
      20, 1);
  EXPECT_FALSE(one_apart.every);
  EXPECT_DOUBLE_EQ(one_apart.least_p, 1) << "one against all others says nothing";
}

// Of labels dealt by chance, one in twenty has p at most 0.05.
TEST(PermutationTest, KeepsItsLevel) {
  SplitMix64 random(3);
  int low = 0;
  constexpr int kTrials = 600;
  for (int trial = 0; trial < kTrials; ++trial) {
    Labels rows, columns;
    for (int i = 0; i < 60; ++i) {
      rows.push_back(i % 3);
      columns.push_back(i < 4 ? i % 4 : static_cast<int>(random.uniform() * 4));
    }
    low += test_independence(rows, columns, 199, static_cast<std::uint64_t>(trial)).p <= 0.05;
  }
  EXPECT_GE(low, 12);
  EXPECT_LE(low, 48);
}

TEST(PermutationTest, IsTheSameForTheSameSeed) {
  Labels rows, columns;
  for (int i = 0; i < 50; ++i) {
    rows.push_back(i % 2);
    columns.push_back((i * i) % 3 == 0);
  }
  EXPECT_EQ(test_independence(rows, columns, 500, 7).p, test_independence(rows, columns, 500, 7).p);
}

}  // namespace
}  // namespace starpath
