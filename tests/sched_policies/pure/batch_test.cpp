// Short tasks that a worker took at once.
#include "sched_policies/adapter/batch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace starpath {

/// Stands for the adapter's, which needs StarPU: a batch does not look into its tasks.
struct PlannedTask {};

namespace {

using Tasks = std::array<PlannedTask, Batch::kMost>;

TEST(Batch, GivesWhatItHoldsInOrder) {
  Tasks tasks{};
  Batch batch;
  EXPECT_TRUE(batch.all_taken());
  EXPECT_EQ(batch.take().record, nullptr);
  for (int round = 0; round < 2; ++round) {
    batch.clear();
    for (std::size_t i = 0; i < 3; ++i) batch.add(tasks[i]);
    EXPECT_TRUE(batch.all_taken()) << "not closed yet";
    EXPECT_EQ(batch.take().record, nullptr);
    batch.close(7);
    EXPECT_EQ(batch.closed(), 7);
    EXPECT_EQ(batch.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(batch.next(), &tasks[i]);
      const Batch::Taken taken = batch.take();
      EXPECT_EQ(taken.record, &tasks[i]);
      EXPECT_EQ(taken.place, i);
    }
    EXPECT_EQ(batch.next(), nullptr);
    EXPECT_TRUE(batch.all_taken());
  }
}

TEST(Batch, IsFullInTheEnd) {
  Tasks tasks{};
  Batch batch;
  for (std::size_t i = 0; i < Batch::kMost; ++i) {
    EXPECT_FALSE(batch.full());
    batch.add(tasks[i]);
  }
  EXPECT_TRUE(batch.full());
}

TEST(Batch, EachTaskIsTakenOnceThoughTwoTake) {
  constexpr int kRounds = 20000;
  Tasks tasks{};
  Batch batch;
  std::mutex lock;
  std::array<std::atomic<int>, Batch::kMost> taken{};
  std::atomic<bool> over = false;
  const auto take = [&] {
    if (const PlannedTask* const record = batch.take().record) ++taken[static_cast<std::size_t>(record - tasks.data())];
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
        batch.clear();
        for (std::size_t i = 0; i < Batch::kMost; ++i) batch.add(tasks[i]);
        batch.close(0);
      }
      while (!batch.all_taken()) take();
    }
    over = true;
  }
  for (const auto& times : taken) EXPECT_EQ(times, kRounds);
}

}  // namespace
}  // namespace starpath
