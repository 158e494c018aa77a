// EFT by hand: who is expected to finish a task first.
#include "sched_policies/policies/eft.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "support/random_dag.hpp"
#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

constexpr WorkerId kCpu = 0, kOtherCpu = 1, kGpu = 2;

/// Two CPU workers and a GPU.
class EftTest : public testing::Test {
 protected:
  void push(const std::string& name, std::optional<double> cpu, std::optional<double> gpu, int priority = 0,
            const std::vector<WorkerId>& workers = {kCpu, kOtherCpu, kGpu}) {
    Named& task = tasks_.emplace_back();
    task.name = name;
    task.owner = &task;
    task.sequence = tasks_.size();
    task.priority = priority;
    WorkerSet able;
    for (const WorkerId worker : workers) able.insert(worker);
    task.group = eligibility_.intern(able);
    TaskCosts costs;
    costs.seconds = {cpu, gpu};
    policy_.push(task, costs, now_);
  }
  std::string pop(WorkerId worker) {
    decision_ = policy_.pop(worker, now_);
    return decision_.task == nullptr ? "" : static_cast<Named*>(decision_.task)->name;
  }
  std::string another(WorkerId worker) {
    const TaskRecord* const task = policy_.another(worker, now_);
    return task == nullptr ? "" : static_cast<const Named*>(task)->name;
  }
  void finish(WorkerId worker, const std::string& name, std::optional<double> ran = std::nullopt) {
    for (Named& task : tasks_)
      if (task.name == name) policy_.finished(worker, &task, now_, ran);
  }

  struct Named : TaskRecord {
    std::string name;
  };
  Machine machine_ = des::machine(2, {1});
  EligibilityTable eligibility_{machine_};
  Eft policy_{{machine_, eligibility_}};
  std::deque<Named> tasks_;
  Decision decision_;
  double now_ = 0;
};

TEST_F(EftTest, ATaskJoinsWhoFinishesItFirst) {
  push("a", 4, 1);  // GPU: 1
  push("b", 4, 3);  // GPU: 1 + 3, no sooner than the first core
  push("c", 4, 3);  // the other core
  push("d", 4, 1);  // GPU: 1 + 1
  EXPECT_EQ(pop(kCpu), "b");
  EXPECT_EQ(pop(kOtherCpu), "c");
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(pop(kGpu), "d");
}

TEST_F(EftTest, WhatWasGivenCountsForItsEstimatedTimeHoweverLongItTook) {
  push("long", 9, 8);
  EXPECT_EQ(pop(kGpu), "long");
  now_ = 2;
  finish(kGpu, "long");  // six seconds early
  push("x", 7, 2);       // GPU: expected at 8 + 2, a core at 2 + 7
  EXPECT_EQ(pop(kCpu), "x");
  now_ = 9;
  push("y", 7, 2);  // nobody is free before now
  EXPECT_EQ(pop(kOtherCpu), "");
  EXPECT_EQ(pop(kGpu), "y");
}

TEST_F(EftTest, WhatTheApplicationBindsToAWorkerCounts) {
  const int bound = 0;
  policy_.bound(kGpu, &bound, 5, now_);
  push("x", 4, 1);  // GPU: 5 + 1
  EXPECT_EQ(pop(kCpu), "x");
}

TEST_F(EftTest, AWorkerWaitsAndNamesTheOneThatHasTasks) {
  push("a", 9, 1);
  push("b", 9, 1);
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_EQ(decision_.in_favour_of, kGpu);
  EXPECT_TRUE(decision_.nobody_works);
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(pop(kCpu), "");
  EXPECT_FALSE(decision_.in_favour_of);
  EXPECT_FALSE(decision_.nobody_works);
  EXPECT_EQ(policy_.size(), 1U);
}

TEST_F(EftTest, WhoRunsATaskForTenTimesAsLongAsExpectedLosesWhatWaitsForIt) {
  push("a", 90, 2);
  push("b", 90, 2);
  EXPECT_EQ(pop(kGpu), "a");
  now_ = 19;
  EXPECT_EQ(pop(kCpu), "");
  now_ = 21;
  EXPECT_EQ(pop(kCpu), "b");
}

TEST_F(EftTest, WhoDoesNotComeLosesItsTasksAfterASecond) {
  push("a", 9, 1);
  EXPECT_EQ(pop(kCpu), "");
  now_ = 0.9;
  EXPECT_EQ(pop(kCpu), "");
  now_ = 1.1;
  EXPECT_EQ(pop(kCpu), "a");
}

TEST_F(EftTest, QueuesGoByPriorityThenAge) {
  push("a", 9, 1);
  push("b", 9, 1);
  push("c", 9, 1, 5);
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(pop(kGpu), "b");
}

TEST_F(EftTest, AWorkerTakesTenMicrosecondsOfItsTasksTogether) {
  for (const char* name : {"a", "b", "c", "d"}) push(name, std::nullopt, 4e-6, 0, {kGpu});
  push("of another worker", 1e-6, std::nullopt, 0, {kCpu});
  EXPECT_EQ(another(kCpu), "") << "nothing was popped";
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(another(kGpu), "b");
  EXPECT_EQ(another(kGpu), "");
  for (const char* name : {"a", "b"}) finish(kGpu, name);
  EXPECT_EQ(pop(kGpu), "c");
  EXPECT_EQ(another(kGpu), "d");
  EXPECT_EQ(another(kGpu), "");
}

TEST_F(EftTest, ButNoneBesideTasksOfUnknownOrGuessedTimes) {
  for (const char* name : {"a", "b"}) push(name, std::nullopt, 1e-6, 0, {kGpu});
  push("unknown", std::nullopt, std::nullopt, 1, {kGpu});
  EXPECT_EQ(pop(kGpu), "unknown");
  EXPECT_EQ(another(kGpu), "") << "it may take long";
  push("unknown", std::nullopt, std::nullopt, 0, {kGpu});
  EXPECT_EQ(pop(kGpu), "a");
  EXPECT_EQ(another(kGpu), "") << "the unknown one may go first";
  EXPECT_EQ(pop(kGpu), "b");
  EXPECT_EQ(pop(kGpu), "unknown");
  push("known", std::nullopt, 1e-6, 0, {kGpu});
  push("guessed", std::nullopt, 1e-6, 0, {kGpu});
  tasks_.back().guessed = 2;
  EXPECT_EQ(pop(kGpu), "known");
  EXPECT_EQ(another(kGpu), "");
  EXPECT_EQ(pop(kGpu), "guessed");
  push("known", std::nullopt, 1e-6, 0, {kGpu});
  EXPECT_EQ(another(kGpu), "");
}

TEST_F(EftTest, TasksOfUnknownTimesWaitForAll) {
  push("known", 9, 1);
  push("unknown", std::nullopt, 1);
  EXPECT_EQ(pop(kCpu), "unknown");
  push("later", 9, std::nullopt);
  push("urgent", 9, std::nullopt, 1);
  EXPECT_EQ(pop(kGpu), "urgent");
  EXPECT_EQ(pop(kGpu), "known");
  EXPECT_EQ(pop(kGpu), "later");
}

TEST_F(EftTest, ATimeThatNobodyNeedsMayBeUnknown) {
  push("cores", 9, std::nullopt, 0, {kCpu, kOtherCpu});
  push("gpu", std::nullopt, 9, 0, {kGpu});
  EXPECT_EQ(pop(kGpu), "gpu");
  EXPECT_EQ(pop(kOtherCpu), "");
  EXPECT_EQ(pop(kCpu), "cores");
}

TEST_F(EftTest, WhatALeavingWorkerHadJoinsOthers) {
  push("a", 9, 1);
  push("gpu only", std::nullopt, 1, 0, {kGpu});
  policy_.set_present(kGpu, false);
  EXPECT_EQ(pop(kCpu), "a");
  EXPECT_EQ(pop(kOtherCpu), "");
  push("b", 9, 1);
  EXPECT_EQ(pop(kOtherCpu), "b");
  policy_.set_present(kGpu, true);
  EXPECT_EQ(pop(kGpu), "gpu only");
}

TEST(Eft, WithoutTimesItIsFcfs) {
  QueueFixture<Eft> queue;
  queue.push("a", 1);
  queue.push("b", 9, 1);
  queue.push("c", 3);
  queue.push("d", 1, 0, Runs::gpu);
  EXPECT_EQ(queue.drain(QueueFixture<Eft>::kCpu), "bac");
  EXPECT_EQ(queue.drain(QueueFixture<Eft>::kGpu), "d");
}

TEST_F(EftTest, AFarTooLongEstimateKeepsNoTasksAway) {
  for (const double ran : {2.0, 1.0}) {
    push("long", 100, 9, 0, {kGpu});
    ASSERT_EQ(pop(kGpu), "long");
    finish(kGpu, "long", ran);
    push("next", 4, 1);
    EXPECT_EQ(pop(ran < 9.0 / 8 ? kGpu : kCpu), "next") << ran;
  }
}

TEST_F(EftTest, AWrongGuessKeepsNoTasksAway) {
  push("guessed", 100, 50);
  tasks_[0].guessed = 2;  // on the GPU
  EXPECT_EQ(pop(kGpu), "guessed");
  now_ = 1;
  policy_.finished(kGpu, &tasks_[0], now_, 1.0);
  push("next", 40, 20);
  EXPECT_EQ(pop(kCpu), "") << "the GPU is free at 1, and not at 50";
  EXPECT_EQ(pop(kGpu), "next");
}

TEST_F(EftTest, TasksOfACodeletAreGivenBackAndTheirTimeIsFree) {
  push("a", 4, 1);
  push("b", 4, 1);
  tasks_[0].codelet = 7;
  const std::vector<TaskRecord*> withdrawn = policy_.withdraw(7);
  ASSERT_EQ(withdrawn.size(), 1U);
  EXPECT_EQ(withdrawn[0], &tasks_[0]);
  EXPECT_EQ(policy_.size(), 1U);
  push("c", 2, 1);  // the GPU has 1 to do, no more than a core: the lower number
  EXPECT_EQ(pop(kGpu), "b");
  EXPECT_EQ(pop(kCpu), "c");
}

}  // namespace
}  // namespace starpath
