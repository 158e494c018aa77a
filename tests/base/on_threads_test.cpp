#include "base/on_threads.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace starpath {
namespace {

TEST(OnThreads, DoesEachOnce) {
  for (const int threads : {-1, 0, 1, 3, 40}) {
    std::vector<std::atomic<int>> done(25);
    ThreadBudget budget(threads);
    on_threads(budget, done.size(), [&](std::size_t i, int) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1) << threads << " threads";
  }
}

TEST(OnThreads, CountsItsThreads) {
  std::mutex mutex;
  std::set<int> seen;
  std::atomic<int> arrived = 0;
  ThreadBudget budget(4);
  on_threads(budget, 4, [&](std::size_t, int thread) {
    ++arrived;
    while (arrived < 4) std::this_thread::yield();  // until each of the four has something to do
    const std::lock_guard lock(mutex);
    seen.insert(thread);
  });
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 3}));
}

TEST(OnThreads, ThrowsWhatItsWorkThrows) {
  std::atomic<int> begun = 0;
  const auto fail = [&](std::size_t i, int) {
    ++begun;
    if (i == 3) throw std::runtime_error("three");
  };
  ThreadBudget one(1), four(4);
  EXPECT_THROW(on_threads(one, 1000, fail), std::runtime_error);
  EXPECT_EQ(begun, 4);
  EXPECT_THROW(on_threads(four, 1000, fail), std::runtime_error);
}

TEST(OnThreads, EachIsDoneAlsoAfterAFailure) {
  for (const int threads : {1, 3}) {
    std::vector<std::atomic<int>> begun(6);
    ThreadBudget budget(threads);
    const auto fail = [&](std::size_t i, int) {
      ++begun[i];
      if (i == 1 || i == 4) throw std::runtime_error(std::to_string(i));
    };
    try {
      each_on_threads(budget, begun.size(), fail);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
    for (const auto& times : begun) EXPECT_EQ(times, 1) << threads << " threads";
  }
}

TEST(OnThreads, DoesNothingForNothing) {
  ThreadBudget budget(4);
  on_threads(budget, 0, [](std::size_t, int) { FAIL(); });
}

TEST(OnThreads, NestedCallsShareTheThreads) {
  ThreadBudget budget(3);
  std::atomic<int> at_work = 0, most = 0;
  const auto work = [&](std::size_t, int) {
    const int now = ++at_work;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --at_work;
  };
  on_threads(budget, 2, [&](std::size_t, int) { on_threads(budget, 20, work); });
  EXPECT_LE(most, 4);  // one that waited takes up its work before the one that stood in for it is done
  EXPECT_GE(most, 2);
  EXPECT_EQ(budget.take(100), 2) << "all are given back";
}

TEST(OnThreads, WhoWaitsLendsItsThread) {
  ThreadBudget budget(2);
  std::atomic<bool> first_over = false;
  int helpers = 0;
  on_threads(budget, 2, [&](std::size_t i, int) {
    if (i == 0) {
      first_over = true;
      return;
    }
    while (!first_over) std::this_thread::yield();
    for (int tries = 0; tries < 1000 && helpers == 0; ++tries) {  // until the other has nothing to do
      helpers = budget.take(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    budget.give_back(helpers);
  });
  EXPECT_EQ(helpers, 1);
}

}  // namespace
}  // namespace starpath
