// Short tasks that a worker took at once.
#include "sched_policies/adapter/handful.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace starpath {

/// Stands for the adapter's, which needs StarPU: a handful does not look into its tasks.
struct PlannedTask {};

namespace {

using Tasks = std::array<PlannedTask, Handful::kMost>;

TEST(Handful, GivesWhatItHoldsInOrder) {
  Tasks tasks{};
  Handful handful;
  EXPECT_TRUE(handful.all_taken());
  EXPECT_EQ(handful.take().record, nullptr);
  for (int round = 0; round < 2; ++round) {
    handful.clear();
    for (std::size_t i = 0; i < 3; ++i) handful.add(tasks[i]);
    EXPECT_TRUE(handful.all_taken()) << "not closed yet";
    EXPECT_EQ(handful.take().record, nullptr);
    handful.close(7);
    EXPECT_EQ(handful.closed(), 7);
    EXPECT_EQ(handful.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(handful.next(), &tasks[i]);
      const Handful::Taken taken = handful.take();
      EXPECT_EQ(taken.record, &tasks[i]);
      EXPECT_EQ(taken.place, i);
    }
    EXPECT_EQ(handful.next(), nullptr);
    EXPECT_TRUE(handful.all_taken());
  }
}

TEST(Handful, IsFullInTheEnd) {
  Tasks tasks{};
  Handful handful;
  for (std::size_t i = 0; i < Handful::kMost; ++i) {
    EXPECT_FALSE(handful.full());
    handful.add(tasks[i]);
  }
  EXPECT_TRUE(handful.full());
}

TEST(Handful, EachTaskIsTakenOnceThoughTwoTake) {
  constexpr int kRounds = 20000;
  Tasks tasks{};
  Handful handful;
  std::mutex lock;
  std::array<std::atomic<int>, Handful::kMost> taken{};
  std::atomic<bool> over = false;
  const auto take = [&] {
    if (const PlannedTask* const record = handful.take().record)
      ++taken[static_cast<std::size_t>(record - tasks.data())];
  };
  {
    const std::jthread other([&] {
      while (!over) {
        const std::lock_guard guard(lock);
        take();
      }
    });
    for (int round = 0; round < kRounds; ++round) {
      {
        const std::lock_guard guard(lock);
        handful.clear();
        for (std::size_t i = 0; i < Handful::kMost; ++i) handful.add(tasks[i]);
        handful.close(0);
      }
      while (!handful.all_taken()) take();
    }
    over = true;
  }
  for (const auto& times : taken) EXPECT_EQ(times, kRounds);
}

}  // namespace
}  // namespace starpath
