// PADAS: hand-made queues, and an independent reading of the paper. Class 1 is the paper's GPU, class 2 its MIC.
#include "sched_policies/policies/padas.hpp"

#include <gtest/gtest.h>

#include <list>
#include <random>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using PadasQueue = QueueFixture<Padas>;
constexpr WorkerId kTheGpu = 1;
constexpr WorkerId kTheMic = 2;
constexpr WorkerId kThird = 3;

TEST(Padas, EachAcceleratorTakesItsHighestSpeedup) {
  PadasQueue queue(2);
  queue.add("g9 ", {.speedups = {9, 1}});
  queue.add("m7 ", {.speedups = {2, 7}});
  queue.add("g5 ", {.speedups = {5, 1}});
  queue.add("m8 ", {.speedups = {2, 8}});
  EXPECT_EQ(queue.pop(kTheMic), "m8 ");
  EXPECT_EQ(queue.pop(kTheGpu), "g9 ");
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "g5 ");  // the first after the one that walked from the head
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "m7 ");
}

TEST(Padas, ATaskOfLittleGainWalksPastTheOtherEnd) {
  PadasQueue queue(2);
  queue.add("watershed", {.speedups = {20, 10}});
  queue.add("filling", {.speedups = {2, 3}});  // from the head past 10, to the end of the GPU
  EXPECT_EQ(queue.pop(kTheGpu), "filling");
}

TEST(Padas, WithItsOwnEndEmptyAnAcceleratorTakesTheOthers) {
  PadasQueue queue(2);
  queue.add("4", {.speedups = {4, 1}});
  queue.add("9", {.speedups = {9, 1}});
  queue.add("2", {.speedups = {2, 1}});
  EXPECT_EQ(queue.drain(kTheMic), "249");
}

TEST(Padas, WithOneClassItSortsBySpeedup) {
  PadasQueue queue(1);
  for (const double speedup : {4.0, 1.0, 9.0, 2.0}) queue.push(std::to_string(static_cast<int>(speedup)), speedup);
  EXPECT_EQ(queue.pop(kTheGpu), "9");
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "124");
}

TEST(Padas, EqualSpeedupsWalkFromTheTail) {
  PadasQueue queue(2);
  queue.add("m6 ", {.speedups = {1, 6}});
  queue.add("equal ", {.speedups = {5, 5}});
  EXPECT_EQ(queue.pop(kTheGpu), "equal ");
}

TEST(Padas, AcceleratorsTakeEqualSpeedupsByPriorityThenArrivalAndCoresFromTheOtherEnd) {
  for (const bool mic : {false, true}) {
    const std::vector<std::optional<double>> speedups = {mic ? 1 : 3, mic ? 3 : 1};
    PadasQueue queue(2);
    const auto fill = [&] {
      queue.add("a", {.speedups = speedups});
      queue.add("b", {.speedups = speedups});
      queue.add("c", {.speedups = speedups, .priority = 2});
      queue.add("d", {.speedups = speedups, .priority = -1});
    };
    fill();
    EXPECT_EQ(queue.drain(mic ? kTheMic : kTheGpu), "cabd");
    fill();
    EXPECT_EQ(queue.drain(PadasQueue::kCpu), "dbac");
  }
}

TEST(Padas, TheLastOfThreeClassesHasTheHead) {
  PadasQueue queue(3);
  queue.add("x ", {.speedups = {9, 1, 2}});
  queue.add("y ", {.speedups = {3, 10, 1}});
  queue.add("z ", {.speedups = {3, 1, 12}});
  EXPECT_EQ(queue.pop(kThird), "z ");
  EXPECT_EQ(queue.pop(kTheGpu), "y ");  // the highest speedup of that side, though it is the other class's
  EXPECT_EQ(queue.pop(kTheMic), "x ");
}

TEST(Padas, ASpeedupThatIsNotKnownOrOfNoUseIsNone) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {2, std::nullopt}});
  queue.add("b", {.speedups = {std::nullopt, 1}});
  queue.add("c", {.speedups = {90, 95}, .workers = {PadasQueue::kCpu, kTheGpu}});  // the MIC may not run it
  EXPECT_EQ(queue.drain(kTheMic), "ba");
  EXPECT_EQ(queue.pop(kTheGpu), "c");
}

TEST(Padas, WorkersTakeOnlyWhatTheyMayRun) {
  PadasQueue queue(2);
  queue.add("core", {.workers = {PadasQueue::kCpu}});
  queue.add("gpu", {.speedups = {3, std::nullopt}, .workers = {kTheGpu}});
  EXPECT_EQ(queue.pop(kTheMic), "");
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "core");
  EXPECT_EQ(queue.pop(PadasQueue::kCpu), "");
  EXPECT_EQ(queue.pop(kTheGpu), "gpu");
}

TEST(Padas, WithoutEstimatesItIsFcfs) {
  PadasQueue queue(2);
  for (const char* name : {"a", "b", "c", "d"}) queue.add(name, {});
  EXPECT_EQ(queue.pop(kTheGpu), "a");
  EXPECT_EQ(queue.pop(kTheMic), "b");
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "cd");
}

TEST(Padas, AnUnknownTaskKeepsItsPlaceInArrivalOrder) {
  PadasQueue queue(2);
  queue.add("a", {.speedups = {9, 1}});
  queue.add("b", {});
  queue.add("c", {.speedups = {10, 1}});
  EXPECT_EQ(queue.pop(kTheGpu), "b");
  queue.add("d", {.priority = 1});
  EXPECT_EQ(queue.drain(PadasQueue::kCpu), "dac");
}

/// IV-B read aloud: a list that tasks walk along. Of two accelerators, tasks that all may run, and known speedups.
class PrintedQueue {
 public:
  struct Task {
    std::string name;
    double on_gpu, on_mic;
  };

  void insert(const Task& task) {
    const bool by_mic = task.on_mic > task.on_gpu;
    auto place = by_mic ? tasks_.begin() : tasks_.end();
    if (by_mic)
      while (place != tasks_.end() && place->task.on_mic >= task.on_mic) ++place;
    else
      while (place != tasks_.begin() && std::prev(place)->task.on_gpu >= task.on_gpu) --place;
    tasks_.insert(place, {task, by_mic});
  }

  std::string take(WorkerId worker) {
    if (tasks_.empty()) return "";
    auto place = worker == kTheMic ? tasks_.begin() : std::prev(tasks_.end());
    if (worker == PadasQueue::kCpu)
      place = std::next(tasks_.begin(), std::min<std::ptrdiff_t>(std::ranges::count(tasks_, true, &Entry::by_mic),
                                                                 std::ssize(tasks_) - 1));
    std::string name = place->task.name;
    tasks_.erase(place);
    return name;
  }

 private:
  struct Entry {
    Task task;
    bool by_mic;
  };
  std::list<Entry> tasks_;
};

TEST(Padas, IsThePrintedQueue) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    PadasQueue queue(2);
    PrintedQueue printed;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 100 < (step < 1000 ? 60 : 40)) {
        const auto gpu = static_cast<double>(random() % 10), mic = static_cast<double>(random() % 10);
        queue.add(std::to_string(step), {.speedups = {gpu, mic}});
        printed.insert({std::to_string(step), gpu, mic});
      } else {
        const auto worker = static_cast<WorkerId>(random() % 3);
        ASSERT_EQ(queue.pop(worker), printed.take(worker)) << "seed " << seed << ", step " << step;
      }
    }
  }
}

/// More workers than a search tells apart at once.
TEST(Padas, WorkersBeyondSixtyFourTakeOnlyWhatTheyMayRun) {
  const Machine machine = des::machine(1, {70});
  EligibilityTable eligibility(machine);
  Padas policy({machine, eligibility});
  std::vector<TaskRecord> tasks(machine.workers());
  for (WorkerId worker = 1; worker < tasks.size(); ++worker) {
    WorkerSet one;
    one.insert(worker);
    tasks[worker].sequence = worker;
    tasks[worker].group = eligibility.intern(one);
    tasks[worker].speedups.set(1, 1 + worker % 7);
    policy.push(tasks[worker]);
  }
  EXPECT_EQ(policy.pop(0), nullptr);
  for (WorkerId worker = 1; worker < tasks.size(); ++worker) EXPECT_EQ(policy.pop(worker), &tasks[worker]);
  EXPECT_EQ(policy.size(), 0U);
}

}  // namespace
}  // namespace starpath
