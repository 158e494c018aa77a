// PATS: hand-made queues.
#include "sched_policies/policies/pats.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using PatsQueue = QueueFixture<Pats>;

TEST(Pats, CpuTakesTheSmallestSpeedupAcceleratorTheLargest) {
  PatsQueue queue;
  queue.push("a", 4);
  queue.push("b", 1);
  queue.push("c", 9);
  queue.push("d", 2);
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "c");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "d");
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "a");
}

TEST(Pats, EqualSpeedupsLeaveInArrivalOrderOnBothEnds) {
  PatsQueue queue;
  for (const char* name : {"a", "b", "c", "d"}) queue.push(name, 3);
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "a");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "c");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "d");
}

TEST(Pats, PriorityDecidesAmongEqualSpeedupsOnly) {
  PatsQueue queue;
  queue.push("a", 3, 0);
  queue.push("b", 3, 7);
  queue.push("c", 1, -7);
  queue.push("d", 8, -7);
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "d");
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "b");
  EXPECT_EQ(queue.drain(PatsQueue::kCpu), "ca");
}

TEST(Pats, WithoutEstimatesItIsFcfs) {
  PatsQueue queue;
  for (const char* name : {"a", "b", "c", "d"}) queue.push(name, std::nullopt);
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "a");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "b");
  EXPECT_EQ(queue.drain(PatsQueue::kGpu), "cd");
}

TEST(Pats, AnUnknownTaskKeepsItsPlaceInArrivalOrder) {
  PatsQueue queue;
  queue.push("a", 9);
  queue.push("b", std::nullopt);
  queue.push("c", 10);
  // The accelerator would choose c, but b was there first; the CPU would choose a, which is older than b.
  EXPECT_EQ(queue.pop(PatsQueue::kGpu), "b");
  queue.push("d", std::nullopt);
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "a");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "c");
  EXPECT_EQ(queue.pop(PatsQueue::kCpu), "d");
}

TEST(Pats, AnUnknownTaskOfHigherPriorityGoesAhead) {
  PatsQueue queue;
  queue.push("a", 9);
  queue.push("b", std::nullopt, 1);
  EXPECT_EQ(queue.drain(PatsQueue::kGpu), "ba");
}

TEST(Pats, TasksOfOneKindOfDeviceStandAtThatKindsEnd) {
  PatsQueue queue;
  queue.push("a", 1, 0, Runs::both);
  queue.push("b", std::nullopt, 0, Runs::cpu);
  queue.push("c", std::nullopt, 0, Runs::gpu);
  queue.push("d", 50, 0, Runs::both);
  EXPECT_EQ(queue.drain(PatsQueue::kCpu), "bad");
  EXPECT_EQ(queue.drain(PatsQueue::kGpu), "c");
}

TEST(Pats, GainIsTheBestSpeedupAmongTheAcceleratorsThatMayRunIt) {
  const Machine machine = des::machine(1, {1, 1});
  EligibilityTable eligibility(machine);
  Pats pats({machine, eligibility});
  WorkerSet cpu_and_first;
  cpu_and_first.insert(0);
  cpu_and_first.insert(1);
  WorkerSet all = cpu_and_first;
  all.insert(2);
  TaskRecord narrow;  // fast on the second accelerator, which may not run it
  narrow.sequence = 1;
  narrow.group = eligibility.intern(cpu_and_first);
  narrow.speedups.set(1, 2);
  narrow.speedups.set(2, 100);
  TaskRecord wide;
  wide.sequence = 2;
  wide.group = eligibility.intern(all);
  wide.speedups.set(1, 1);
  wide.speedups.set(2, 5);
  pats.push(narrow);
  pats.push(wide);
  EXPECT_EQ(pats.pop(1), &wide);
}

}  // namespace
}  // namespace starpath
