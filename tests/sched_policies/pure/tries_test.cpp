// Which implementation is tried, and how often.
#include "sched_policies/estimates/tries.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath {
namespace {

Features input(double size, unsigned implementation = 0) {
  Features features{.numeric_count = 1, .categorical_count = 1};
  features.numeric[0] = size;
  features.categorical[0] = implementation;
  return features;
}

/// The tasks, from 1, that run in another implementation than the first, which is the fastest.
std::vector<int> tries_among(Tries& tries, int tasks, unsigned mask = 0b11, double size = 1) {
  std::vector<int> found;
  for (int task = 1; task <= tasks; ++task)
    if (tries.choose(mask, 0, 0, 0, input(size)) != 0) found.push_back(task);
  return found;
}

TEST(Tries, TheFirstTaskAndOneWheneverTheirNumberHasDoubled) {
  Tries tries;
  EXPECT_EQ(tries_among(tries, 100), (std::vector{1, 2, 4, 8, 16, 32, 64}));
}

TEST(Tries, InputsOfOtherSizesOtherClassesAndOtherCodeletsCountApart) {
  Tries tries;
  tries_among(tries, 5, 0b11, 4);
  EXPECT_EQ(tries.choose(0b11, 0, 0, 0, input(7.9)), 0U);
  EXPECT_EQ(tries.choose(0b11, 0, 0, 0, input(8)), 1U);
  EXPECT_EQ(tries.choose(0b11, 0, 0, 1, input(4)), 1U);
  EXPECT_EQ(tries.choose(0b11, 0, 1, 0, input(4)), 1U);
}

TEST(Tries, OnlyThoseThatAreAsked) {
  Tries tries;
  EXPECT_EQ(tries.choose(0b101, 0, 0, 0, input(0)), 2U);
  EXPECT_EQ(tries.choose(0b001, 0, 0, 0, input(0)), 0U);
}

TEST(Tries, GoesOnWhereAnEarlierRunEnded) {
  Tries tries;
  for (int i = 0; i < 100; ++i) tries.remember(0, 0, input(1, i % 10 == 0));
  EXPECT_EQ(tries_among(tries, 200), (std::vector{28, 156})) << "at 128 and 256 in all";
  for (int i = 0; i < 100; ++i) tries.remember(0, 0, input(4, 0));
  EXPECT_EQ(tries_among(tries, 10, 0b11, 4).size(), 7U) << "it has no sample there";
}

}  // namespace
}  // namespace starpath
