#include "base/on_threads.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace starpath {
namespace {

TEST(OnThreads, DoesEachOnce) {
  for (const int threads : {-1, 0, 1, 3, 40}) {
    std::vector<std::atomic<int>> done(25);
    on_threads(threads, done.size(), [&](std::size_t i, int) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1) << threads << " threads";
  }
}

TEST(OnThreads, CountsItsThreads) {
  std::mutex mutex;
  std::set<int> seen;
  std::atomic<int> arrived = 0;
  on_threads(4, 4, [&](std::size_t, int thread) {
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
  EXPECT_THROW(on_threads(1, 1000, fail), std::runtime_error);
  EXPECT_EQ(begun, 4);
  EXPECT_THROW(on_threads(4, 1000, fail), std::runtime_error);
}

TEST(OnThreads, DoesNothingForNothing) {
  on_threads(4, 0, [](std::size_t, int) { FAIL(); });
}

TEST(OnThreads, SomeCoreIsAllowed) { EXPECT_GE(allowed_cores(), 1); }

}  // namespace
}  // namespace starpath
