// PADAS as printed: hand-made queues. Class 1 is the paper's GPU, class 2 its MIC.
#include "lab/nodes/printed_padas.hpp"

#include <gtest/gtest.h>

#include "tests/support/queue_fixture.hpp"

namespace starpath::lab {
namespace {

using Queue = QueueFixture<PrintedPadas>;
constexpr WorkerId kTheGpu = 1;
constexpr WorkerId kTheMic = 2;

TEST(PrintedPadas, EachAcceleratorTakesItsHighestSpeedup) {
  Queue queue(2);
  queue.add("g9 ", {.speedups = {9, 1}});
  queue.add("m7 ", {.speedups = {2, 7}});
  queue.add("g5 ", {.speedups = {5, 1}});
  queue.add("m8 ", {.speedups = {2, 8}});
  EXPECT_EQ(queue.pop(kTheMic), "m8 ");
  EXPECT_EQ(queue.pop(kTheGpu), "g9 ");
  EXPECT_EQ(queue.pop(Queue::kCpu), "g5 ");  // the first after the one that walked from the head
  EXPECT_EQ(queue.pop(Queue::kCpu), "m7 ");
}

TEST(PrintedPadas, ATaskOfLittleGainWalksPastTheOtherHalf) {
  Queue queue(2);
  queue.add("watershed", {.speedups = {20, 10}});
  queue.add("filling", {.speedups = {2, 3}});  // from the head past 10, to the end of the GPU
  EXPECT_EQ(queue.pop(kTheGpu), "filling");
}

TEST(PrintedPadas, WithOneClassItSortsBySpeedup) {
  Queue queue(1);
  for (const double speedup : {4.0, 1.0, 9.0, 2.0}) queue.push(std::to_string(static_cast<int>(speedup)), speedup);
  EXPECT_EQ(queue.pop(kTheGpu), "9");
  EXPECT_EQ(queue.drain(Queue::kCpu), "124");
}

TEST(PrintedPadas, WorkersTakeOnlyWhatTheyMayRun) {
  Queue queue(2);
  queue.add("core", {.workers = {Queue::kCpu}});
  queue.add("gpu", {.speedups = {3, std::nullopt}, .workers = {kTheGpu}});
  EXPECT_EQ(queue.pop(kTheMic), "");
  EXPECT_EQ(queue.pop(Queue::kCpu), "core");
  EXPECT_EQ(queue.pop(Queue::kCpu), "");
  EXPECT_EQ(queue.pop(kTheGpu), "gpu");
}

}  // namespace
}  // namespace starpath::lab
