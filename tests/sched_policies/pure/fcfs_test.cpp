// FCFS: hand-made queues.
#include "sched_policies/policies/fcfs.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using FcfsQueue = QueueFixture<Fcfs>;

TEST(Fcfs, OldestFirst) {
  FcfsQueue queue;
  queue.push("a", 9);
  queue.push("b", 1);
  queue.push("c", std::nullopt);
  EXPECT_EQ(queue.pop(FcfsQueue::kGpu), "a");
  EXPECT_EQ(queue.pop(FcfsQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(FcfsQueue::kGpu), "c");
  EXPECT_EQ(queue.pop(FcfsQueue::kGpu), "");
}

TEST(Fcfs, HigherPriorityFirstThenOldest) {
  FcfsQueue queue;
  queue.push("a", 1, 0);
  queue.push("b", 1, 5);
  queue.push("c", 1, -5);
  queue.push("d", 1, 5);
  EXPECT_EQ(queue.drain(FcfsQueue::kCpu), "bdac");
}

TEST(Fcfs, SkipsWhatTheWorkerCannotRun) {
  FcfsQueue queue;
  queue.push("a", 1, 9, Runs::gpu);
  queue.push("b", 1, 0, Runs::both);
  queue.push("c", 1, 9, Runs::cpu);
  EXPECT_EQ(queue.drain(FcfsQueue::kCpu), "cb");
  EXPECT_EQ(queue.drain(FcfsQueue::kGpu), "a");
}

}  // namespace
}  // namespace starpath
