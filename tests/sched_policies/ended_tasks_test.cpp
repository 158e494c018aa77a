// Ends that workers leave for whoever takes the lock next.
#include "sched_policies/starpu/ended_tasks.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace starpath {
namespace {

std::vector<std::pair<WorkerId, double>> taken_in(EndedTasks& ended) {
  std::vector<std::pair<WorkerId, double>> ends;
  ended.take_in([&](WorkerId worker, const EndedTasks::End& end) { ends.emplace_back(worker, end.now); });
  return ends;
}

TEST(EndedTasks, AreTakenInInTheOrderTheyWereLeftAndOnce) {
  EndedTasks ended(3);
  EXPECT_TRUE(taken_in(ended).empty());
  EXPECT_TRUE(ended.leave(1, {.now = 10}));
  EXPECT_TRUE(ended.leave(0, {.now = 20}));
  EXPECT_TRUE(ended.leave(2, {.now = 30}));
  EXPECT_EQ(taken_in(ended), (std::vector<std::pair<WorkerId, double>>{{1, 10}, {0, 20}, {2, 30}}));
  EXPECT_TRUE(taken_in(ended).empty());
}

TEST(EndedTasks, AWorkerLeavesOneAtATime) {
  EndedTasks ended(2);
  EXPECT_TRUE(ended.leave(0, {.now = 1}));
  EXPECT_FALSE(ended.leave(0, {.now = 2}));
  EXPECT_TRUE(ended.leave(1, {.now = 3}));
  EXPECT_EQ(taken_in(ended), (std::vector<std::pair<WorkerId, double>>{{0, 1}, {1, 3}}));
  EXPECT_TRUE(ended.leave(0, {.now = 4}));
  EXPECT_EQ(taken_in(ended), (std::vector<std::pair<WorkerId, double>>{{0, 4}}));
}

TEST(EndedTasks, ThreadsLoseNoneAndKeepTheirOwnOrder) {
  constexpr WorkerId kWorkers = 3;
  constexpr int kTasks = 5000;
  EndedTasks ended(kWorkers);
  std::mutex mutex;
  std::vector<std::vector<double>> seen(kWorkers);
  const auto take_in = [&] {
    ended.take_in([&](WorkerId worker, const EndedTasks::End& end) { seen[worker].push_back(end.now); });
  };
  {
    std::vector<std::jthread> threads;
    for (WorkerId worker = 0; worker < kWorkers; ++worker) {
      threads.emplace_back([&, worker] {
        for (int i = 0; i < kTasks; ++i) {
          const bool left = ended.leave(worker, {.now = static_cast<double>(i)});
          if (left && i % 3 != 0) continue;
          const std::lock_guard lock(mutex);
          take_in();
          if (!left) seen[worker].push_back(i);
        }
      });
    }
  }
  take_in();
  for (const auto& own : seen) {
    ASSERT_EQ(own.size(), static_cast<std::size_t>(kTasks));
    for (int i = 0; i < kTasks; ++i) ASSERT_EQ(own[static_cast<std::size_t>(i)], i);
  }
}

}  // namespace
}  // namespace starpath
