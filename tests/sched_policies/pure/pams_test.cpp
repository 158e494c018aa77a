// PAMS: hand-made queues, and random ones against a plain search.
#include "sched_policies/policies/pams.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "sched_policies/policies/pats.hpp"
#include "support/policy_simulation.hpp"
#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

using PamsQueue = QueueFixture<Pams>;
constexpr WorkerId kGpuA = 1;
constexpr WorkerId kGpuB = 2;

TEST(Pams, EachAcceleratorTakesItsHighestSpeedupAndCpuTheSmallestMaximum) {
  PamsQueue queue(2);
  queue.add("x", {.speedups = {4, 2}});
  queue.add("y", {.speedups = {9, 8}});
  queue.add("z", {.speedups = {1, 3}});
  queue.add("v", {.speedups = {5, 12}});
  EXPECT_EQ(queue.pop(kGpuB), "v");
  EXPECT_EQ(queue.pop(kGpuA), "y");
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "z");
  EXPECT_EQ(queue.pop(kGpuB), "x");
  EXPECT_EQ(queue.pop(kGpuA), "");
}

TEST(Pams, ATaskTakenFromOneQueueLeavesTheOthers) {
  PamsQueue queue(2);
  queue.add("a", {.speedups = {9, 9}});
  queue.add("b", {.speedups = {8, 8}});
  EXPECT_EQ(queue.pop(kGpuA), "a");
  EXPECT_EQ(queue.pop(kGpuB), "b");
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "");
}

TEST(Pams, EqualSpeedupsGoByPriorityThenArrival) {
  PamsQueue queue(2);
  queue.add("a", {.speedups = {3, 1}});
  queue.add("b", {.speedups = {3, 2}, .priority = 7});
  queue.add("c", {.speedups = {3, 3}});
  queue.add("d", {.speedups = {4, 4}, .priority = -9});
  EXPECT_EQ(queue.drain(kGpuA), "dbac");
}

TEST(Pams, LeavingTheMiddleOfALineOfEqualsKeepsItsOrder) {
  PamsQueue queue(2);
  for (const char* name : {"a", "c"}) queue.add(name, {.speedups = {3, 1}});
  queue.add("b", {.speedups = {3, 5}});
  for (const char* name : {"d", "e"}) queue.add(name, {.speedups = {3, 1}});
  EXPECT_EQ(queue.pop(kGpuB), "b");
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "a");
  EXPECT_EQ(queue.drain(kGpuA), "cde");
}

TEST(Pams, WithoutEstimatesItIsFcfs) {
  PamsQueue queue(2);
  for (const char* name : {"a", "b", "c"}) queue.add(name, {});
  queue.add("d", {.priority = 1});
  EXPECT_EQ(queue.pop(kGpuB), "d");
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "a");
  EXPECT_EQ(queue.drain(kGpuA), "bc");
}

TEST(Pams, ASpeedupMayBeKnownOnOneClassOnly) {
  PamsQueue queue(2);
  queue.add("a", {.speedups = {2, 6}});
  queue.add("b", {.speedups = {std::nullopt, 7}});
  queue.add("c", {.speedups = {5, 5}});
  EXPECT_EQ(queue.pop(kGpuA), "b");  // A would choose c, but b, which has no estimate, was there first
  queue.add("d", {.speedups = {std::nullopt, 1}});
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "d");  // for a CPU d's gain is known: it is 1
  EXPECT_EQ(queue.drain(kGpuA), "ca");
}

TEST(Pams, TasksOfOneKindOfDeviceGoFirstThere) {
  PamsQueue queue(2);
  queue.add("a", {.speedups = {0.1, 0.1}});
  queue.add("b", {.workers = {PamsQueue::kCpu}});
  queue.add("c", {.speedups = {50, 50}});
  queue.add("d", {.workers = {kGpuA, kGpuB}});
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "b");
  EXPECT_EQ(queue.pop(kGpuB), "d");
  EXPECT_EQ(queue.drain(PamsQueue::kCpu), "ac");
}

TEST(Pams, ASpeedupOnAClassThatMayNotRunTheTaskIsNoGain) {
  PamsQueue queue(2);
  queue.add("a", {.speedups = {2, 100}, .workers = {PamsQueue::kCpu, kGpuA}});
  queue.add("b", {.speedups = {3, 3}});
  EXPECT_EQ(queue.pop(PamsQueue::kCpu), "a");
}

TEST(Pams, WithOneAcceleratorClassItIsPats) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Machine machine = des::machine(3, {2});
    const des::Dag dag = des::random_dag(machine, {}, random);
    EXPECT_EQ(des::simulate<Pams>(machine, dag).order, des::simulate<Pats>(machine, dag).order);
  }
}

/// The rules of Pams::pop by looking at every queued task.
class PlainPams {
 public:
  PlainPams(const Machine& machine, const EligibilityTable& eligibility)
      : machine_(machine), eligibility_(eligibility) {}

  void push(TaskRecord& task) { tasks_.push_back(&task); }
  TaskRecord* pop(WorkerId worker) {
    TaskRecord* known = nullptr;
    TaskRecord* unknown = nullptr;
    for (TaskRecord* task : tasks_) {
      if (!eligibility_.contains(task->group, worker)) continue;
      const auto weighed = weight(*task, worker);
      if (!weighed && (unknown == nullptr || urgent(*task, *unknown))) unknown = task;
      if (!weighed) continue;
      const double best = known != nullptr ? *weight(*known, worker) : 0;
      if (known == nullptr || *weighed > best || (*weighed == best && urgent(*task, *known))) known = task;
    }
    TaskRecord* chosen = known;
    if (known == nullptr || (unknown != nullptr && urgent(*unknown, *known))) chosen = unknown;
    std::erase(tasks_, chosen);
    return chosen;
  }

 private:
  static bool urgent(const TaskRecord& a, const TaskRecord& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.sequence < b.sequence;
  }
  std::optional<double> weight(const TaskRecord& task, WorkerId worker) const {
    if (eligibility_.kinds(task.group) != GroupKinds::both) return 1e300;
    const ClassId id = machine_.class_of(worker);
    if (machine_.classes()[id].kind == DeviceKind::accelerator) return task.speedups.of(id);
    std::optional<double> smallest;
    for (ClassId other = 0; other < machine_.classes().size(); ++other) {
      if (machine_.classes()[other].kind == DeviceKind::cpu || !eligibility_.has_class(task.group, other)) continue;
      const auto speedup = task.speedups.of(other);
      if (speedup && (!smallest || -*speedup < *smallest)) smallest = -*speedup;
    }
    return smallest;
  }

  const Machine& machine_;
  const EligibilityTable& eligibility_;
  std::vector<TaskRecord*> tasks_;
};

TEST(Pams, AgreesWithAPlainSearch) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    // Two CPU classes, three accelerator classes.
    using enum DeviceKind;
    const Machine machine(
        {{"gpu", accelerator}, {"cpu", cpu}, {"fast", accelerator}, {"big", cpu}, {"mic", accelerator}},
        {0, 1, 2, 3, 4, 1, 0});
    EligibilityTable eligibility(machine);
    Pams pams({machine, eligibility});
    PlainPams plain(machine, eligibility);
    std::deque<TaskRecord> tasks;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 5 < 3) {
        TaskRecord& task = tasks.emplace_back();
        task.sequence = tasks.size();
        task.priority = static_cast<int>(random() % 3);
        const std::uint64_t chosen = random() % 4 != 0 ? 127 : 1 + random() % 127;
        WorkerSet workers;
        for (WorkerId worker = 0; worker < 7; ++worker) {
          if ((chosen >> worker & 1U) != 0) workers.insert(worker);
        }
        task.group = eligibility.intern(workers);
        for (ClassId id = 0; id < 5; ++id) {
          if (random() % 4 != 0) task.speedups.set(id, static_cast<double>(1 + random() % 6));
        }
        pams.push(task);
        plain.push(task);
      } else {
        const auto worker = static_cast<WorkerId>(random() % 7);
        ASSERT_EQ(pams.pop(worker), plain.pop(worker)) << "step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace starpath
