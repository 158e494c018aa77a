// Numbers that come free and are used again.
#include "sched_policies/planning/free_numbers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace starpath {
namespace {

TEST(FreeNumbers, AreGivenOutFromZero) {
  FreeNumbers numbers;
  for (std::size_t i = 0; i < 10000; ++i) EXPECT_EQ(numbers.take(), i);
}

TEST(FreeNumbers, TheLowestGoesFirst) {
  FreeNumbers numbers;
  for (int i = 0; i < 10000; ++i) numbers.take();
  for (const std::size_t number : {9999, 64, 4096, 63, 0, 8191}) numbers.give_back(number);
  for (const std::size_t number : {0, 63, 64, 4096}) EXPECT_EQ(numbers.take(), number);
  numbers.give_back(5);
  for (const std::size_t number : {5, 8191, 9999, 10000}) EXPECT_EQ(numbers.take(), number);
}

TEST(FreeNumbers, AsASetDoes) {
  FreeNumbers numbers;
  std::set<std::size_t> free, taken;
  std::mt19937 random(7);
  std::size_t given = 0;
  for (int step = 0; step < 100000; ++step) {
    if (!taken.empty() && random() % 5 < (step / 20000 % 2 == 0 ? 2U : 3U)) {
      auto some = taken.lower_bound(random() % given);
      if (some == taken.end()) some = taken.begin();
      numbers.give_back(*some);
      free.insert(*some);
      taken.erase(some);
      continue;
    }
    const std::size_t expected = free.empty() ? given++ : *free.begin();
    free.erase(expected);
    taken.insert(expected);
    ASSERT_EQ(numbers.take(), expected);
  }
}

}  // namespace
}  // namespace starpath
