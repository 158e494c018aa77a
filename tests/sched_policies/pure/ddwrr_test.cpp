// DDWRR: hand-made queues.
#include "sched_policies/policies/ddwrr.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using DdwrrQueue = QueueFixture<Ddwrr>;

TEST(Ddwrr, CodeletsTakeTurnsAndTheHighestWeightOfACodeletGoesFirst) {
  DdwrrQueue queue;
  queue.add("a2 ", {.speedups = {2}, .codelet = 0});
  queue.add("a9 ", {.speedups = {9}, .codelet = 0});
  queue.add("b5 ", {.speedups = {5}, .codelet = 1});
  queue.add("b7 ", {.speedups = {7}, .codelet = 1});
  queue.add("a4 ", {.speedups = {4}, .codelet = 0});
  EXPECT_EQ(queue.drain(DdwrrQueue::kGpu), "a9 b7 a4 b5 a2 ");
}

TEST(Ddwrr, ACpuTakesWhatAcceleratorsGainLeast) {
  // Small and large tiles of one codelet, as in the paper's experiments.
  DdwrrQueue queue;
  queue.add("large1 ", {.speedups = {33}});
  queue.add("small1 ", {.speedups = {1.2}});
  queue.add("large2 ", {.speedups = {33}});
  queue.add("small2 ", {.speedups = {1.2}});
  EXPECT_EQ(queue.pop(DdwrrQueue::kCpu), "small1 ");
  EXPECT_EQ(queue.pop(DdwrrQueue::kGpu), "large1 ");
  EXPECT_EQ(queue.drain(DdwrrQueue::kCpu), "small2 large2 ");
}

TEST(Ddwrr, AWorkerTakesTheCodeletWhoseTurnItIsWhateverItsWeight) {
  DdwrrQueue queue;
  queue.add("a", {.speedups = {1}, .codelet = 0});
  queue.add("b", {.speedups = {90}, .codelet = 1});
  EXPECT_EQ(queue.pop(DdwrrQueue::kGpu), "a");
  EXPECT_EQ(queue.pop(DdwrrQueue::kCpu), "b");
}

TEST(Ddwrr, EachAcceleratorClassHasItsOwnWeights) {
  DdwrrQueue queue(2);
  queue.add("x", {.speedups = {4, 9}});
  queue.add("y", {.speedups = {6, 2}});
  queue.add("z", {.speedups = {3, 1}});
  EXPECT_EQ(queue.pop(2), "x");
  EXPECT_EQ(queue.pop(1), "y");
  EXPECT_EQ(queue.pop(DdwrrQueue::kCpu), "z");
}

TEST(Ddwrr, WithoutEstimatesItIsDdfcfs) {
  DdwrrQueue queue;
  queue.add("a1 ", {.codelet = 0});
  queue.add("a2 ", {.codelet = 0});
  queue.add("b1 ", {.codelet = 1});
  queue.add("a3 ", {.priority = 1, .codelet = 0});
  EXPECT_EQ(queue.drain(DdwrrQueue::kGpu), "a3 b1 a1 a2 ");
}

TEST(Ddwrr, ACodeletThatAWorkerCannotServeKeepsItsTurn) {
  DdwrrQueue queue;
  queue.add("a", {.speedups = {1}, .codelet = 0, .workers = {DdwrrQueue::kGpu}});
  queue.add("b", {.speedups = {1}, .codelet = 1});
  queue.add("c", {.speedups = {1}, .codelet = 2});
  EXPECT_EQ(queue.pop(DdwrrQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(DdwrrQueue::kGpu), "a");
}

}  // namespace
}  // namespace starpath
