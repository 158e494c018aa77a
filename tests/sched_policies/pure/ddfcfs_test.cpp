// DDFCFS: hand-made queues.
#include "sched_policies/policies/ddfcfs.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using DdfcfsQueue = QueueFixture<Ddfcfs>;

TEST(Ddfcfs, CodeletsTakeTurnsAndTheOldestOfACodeletGoesFirst) {
  DdfcfsQueue queue;
  queue.add("a1 ", {.codelet = 0});
  queue.add("a2 ", {.codelet = 0});
  queue.add("a3 ", {.codelet = 0});
  queue.add("b1 ", {.codelet = 1});
  queue.add("c1 ", {.codelet = 2});
  queue.add("c2 ", {.codelet = 2});
  EXPECT_EQ(queue.drain(DdfcfsQueue::kCpu), "a1 b1 c1 a2 c2 a3 ");
}

TEST(Ddfcfs, TurnsAreSharedByAllWorkers) {
  DdfcfsQueue queue;
  for (const char* name : {"a1", "a2"}) queue.add(name, {.codelet = 0});
  for (const char* name : {"b1", "b2"}) queue.add(name, {.codelet = 1});
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "a1");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kGpu), "b1");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kGpu), "a2");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "b2");
}

TEST(Ddfcfs, ACodeletThatAWorkerCannotServeKeepsItsTurn) {
  DdfcfsQueue queue;
  for (const char* name : {"a1", "a2"}) queue.add(name, {.codelet = 0});
  for (const char* name : {"b1", "b2"}) queue.add(name, {.codelet = 1, .workers = {DdfcfsQueue::kGpu}});
  for (const char* name : {"c1", "c2"}) queue.add(name, {.codelet = 2});
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "a1");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "c1");  // no implementation for b: the next codelet
  EXPECT_EQ(queue.pop(DdfcfsQueue::kGpu), "b1");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "a2");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "c2");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kGpu), "b2");
}

TEST(Ddfcfs, ACodeletThatWasEmptyJoinsAtTheEnd) {
  DdfcfsQueue queue;
  for (const char* name : {"a1 ", "a2 "}) queue.add(name, {.codelet = 0});
  queue.add("b1 ", {.codelet = 1});
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "a1 ");
  EXPECT_EQ(queue.pop(DdfcfsQueue::kCpu), "b1 ");
  queue.add("b2 ", {.codelet = 1});
  EXPECT_EQ(queue.drain(DdfcfsQueue::kCpu), "a2 b2 ");
}

TEST(Ddfcfs, PriorityCountsWithinACodeletOnly) {
  DdfcfsQueue queue;
  queue.add("a1 ", {.priority = 0, .codelet = 0});
  queue.add("a2 ", {.priority = 5, .codelet = 0});
  queue.add("b1 ", {.priority = 9, .codelet = 1});
  EXPECT_EQ(queue.drain(DdfcfsQueue::kGpu), "a2 b1 a1 ");
}

TEST(Ddfcfs, SpeedupsPlayNoPart) {
  DdfcfsQueue queue;
  queue.add("a", {.speedups = {1}});
  queue.add("b", {.speedups = {50}});
  EXPECT_EQ(queue.pop(DdfcfsQueue::kGpu), "a");
}

}  // namespace
}  // namespace starpath
