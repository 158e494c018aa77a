// FCFS: hand-made queues.
#include "sched_policies/policies/fcfs.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using Queue = QueueFixture<Fcfs>;

TEST(Fcfs, OldestFirst) {
  Queue queue;
  queue.push("a", 9);
  queue.push("b", 1);
  queue.push("c", std::nullopt);
  EXPECT_EQ(queue.pop(Queue::kGpu), "a");
  EXPECT_EQ(queue.pop(Queue::kCpu), "b");
  EXPECT_EQ(queue.pop(Queue::kGpu), "c");
  EXPECT_EQ(queue.pop(Queue::kGpu), "");
}

TEST(Fcfs, HigherPriorityFirstThenOldest) {
  Queue queue;
  queue.push("a", 1, 0);
  queue.push("b", 1, 5);
  queue.push("c", 1, -5);
  queue.push("d", 1, 5);
  EXPECT_EQ(queue.drain(Queue::kCpu), "bdac");
}

TEST(Fcfs, SkipsWhatTheWorkerCannotRun) {
  Queue queue;
  queue.push("a", 1, 9, Runs::gpu);
  queue.push("b", 1, 0, Runs::both);
  queue.push("c", 1, 9, Runs::cpu);
  EXPECT_EQ(queue.drain(Queue::kCpu), "cb");
  EXPECT_EQ(queue.drain(Queue::kGpu), "a");
}

}  // namespace
}  // namespace starpath
