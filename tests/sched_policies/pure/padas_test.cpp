// PADAS: hand-made queues.
#include "sched_policies/policies/padas.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using PadasQueue = QueueFixture<Padas>;
constexpr WorkerId kA = 1;
constexpr WorkerId kB = 2;
constexpr WorkerId kC = 3;

/// Head [a9 a4 a2 | b3 b7 b20] tail, put in out of order.
void fill(PadasQueue& queue) {
  queue.add("b7 ", {.speedups = {1, 7}});
  queue.add("a4 ", {.speedups = {4, 2}});
  queue.add("a9 ", {.speedups = {9, 8}});
  queue.add("b20 ", {.speedups = {15, 20}});
  queue.add("b3 ", {.speedups = {1, 3}});
  queue.add("a2 ", {.speedups = {2, 1}});
}

TEST(Padas, AcceleratorsTakeTheEnds) {
  PadasQueue queue(2);
  fill(queue);
  EXPECT_EQ(queue.pop(kA), "a9 ");
  EXPECT_EQ(queue.pop(kB), "b20 ");
  EXPECT_EQ(queue.pop(kB), "b7 ");
  EXPECT_EQ(queue.pop(kA), "a4 ");
}

TEST(Padas, CpuTakesTheSmallerSpeedupAtTheBoundary) {
  PadasQueue queue(2);
  fill(queue);
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "a2 b3 a4 b7 a9 b20 ");
}

TEST(Padas, WithItsOwnHalfEmptyAnAcceleratorTakesWhatTheOtherGainsLeast) {
  PadasQueue queue(2);
  fill(queue);
  EXPECT_EQ(queue.drain(kA), "a9 a4 a2 b3 b7 b20 ");
  fill(queue);
  EXPECT_EQ(queue.drain(kB), "b20 b7 b3 a2 a4 a9 ");
}

TEST(Padas, EqualSpeedupsOnBothSidesStandInTheFirstHalf) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {5, 5}});
  queue.add("b", {.speedups = {1, 6}});
  queue.add("c", {.speedups = {4, 1}});
  EXPECT_EQ(queue.drain(kA), "acb");
}

TEST(Padas, EqualSpeedupsGoByPriorityThenArrivalFromEverywhere) {
  for (const WorkerId worker : {kA, kB, PadasQueue::kCpu}) {
    SCOPED_TRACE(worker);
    for (const bool second : {false, true}) {
      PadasQueue queue(2);
      const std::vector<std::optional<double>> speedups = {second ? 1 : 3, second ? 3 : 1};
      queue.add("a", {.speedups = speedups});
      queue.add("b", {.speedups = speedups});
      queue.add("c", {.speedups = speedups, .priority = 2});
      EXPECT_EQ(queue.drain(worker), "cab");
    }
  }
}

TEST(Padas, EqualSpeedupsAtTheBoundaryGoByPriorityThenArrival) {
  PadasQueue queue(2);
  queue.add("b", {.speedups = {1, 3}});
  queue.add("a", {.speedups = {3, 1}});
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "b");
  queue.add("c", {.speedups = {1, 3}, .priority = 1});
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "ca");
}

TEST(Padas, WithOneAcceleratorClassItSortsAsPats) {
  QueueFixture<Padas> queue(1);
  queue.push("a", 4);
  queue.push("b", 1);
  queue.push("c", 9);
  queue.push("d", 2);
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(kA), "c");
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "d");
  EXPECT_EQ(queue.pop(kA), "a");
}

TEST(Padas, WithThreeClassesTheOthersShareTheTail) {
  PadasQueue queue(3);
  queue.add("x", {.speedups = {9, 1, 2}});
  queue.add("y", {.speedups = {3, 8, 1}});
  queue.add("z", {.speedups = {3, 1, 12}});
  queue.add("v", {.speedups = {4, 1, 2}});
  EXPECT_EQ(queue.pop(kB), "z");  // the largest speedup of that side, though it is C's
  EXPECT_EQ(queue.pop(kC), "y");
  EXPECT_EQ(queue.pop(kA), "x");
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "v");
}

TEST(Padas, ASideWithoutAKnownSpeedupHasTheLowerOne) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {2, std::nullopt}});
  queue.add("b", {.speedups = {std::nullopt, 1}});
  queue.add("c", {.speedups = {90, 95}, .workers = {PadasQueue::kCpu, kA}});  // B may not run it
  EXPECT_EQ(queue.drain(kB), "ba");
  EXPECT_EQ(queue.pop(kA), "c");
}

TEST(Padas, WithoutEstimatesItIsFcfs) {
  PadasQueue queue(2);
  for (const char* name : {"a", "b", "c", "d"}) queue.add(name, {});
  EXPECT_EQ(queue.pop(kA), "a");
  EXPECT_EQ(queue.pop(kB), "b");
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "cd");
}

TEST(Padas, AnUnknownTaskKeepsItsPlaceInArrivalOrder) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {9, 1}});
  queue.add("b", {});
  queue.add("c", {.speedups = {10, 1}});
  EXPECT_EQ(queue.pop(kA), "b");
  queue.add("d", {.priority = 1});
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "dac");
}

TEST(Padas, TasksOfCpuOnlyStandBelowEverySpeedup) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {0.1, 0.2}});
  queue.add("b", {.workers = {PadasQueue::kCpu}});
  queue.add("c", {.speedups = {0.2, 0.1}});
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "bac");
}

}  // namespace
}  // namespace starpath
