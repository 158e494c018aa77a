// Who gets tasks whose run time is not known on every class yet.
#include "sched_policies/core/exploration.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

constexpr unsigned kRuns = 2;

/// Workers 0 and 1 are CPU cores, 2 is an accelerator. `policy` stands for a policy's queue.
class ExplorationTest : public ::testing::Test {
 protected:
  ExplorationTest() { exploration_.set_present(0b11); }

  GroupId group(const std::vector<WorkerId>& workers) {
    WorkerSet set;
    for (const WorkerId worker : workers) set.insert(worker);
    return eligibility_.intern(set);
  }

  /// Whether the task is kept. `known`: the classes whose run time is.
  bool push(CodeletId codelet, ClassSet known = {}, const std::vector<WorkerId>& workers = {0, 1, 2},
            int priority = 0) {
    TaskRecord& task = tasks_.emplace_back();
    task.codelet = codelet;
    task.priority = priority;
    task.sequence = tasks_.size();
    task.group = group(workers);
    ClassSeconds seconds;
    for (ClassId id = 0; id < 2; ++id) {
      if (known[id]) seconds[id] = 1.0;
    }
    const auto unexplored = exploration_.unexplored(task.group, seconds, never_known);
    if (unexplored.any()) exploration_.push(task, unexplored);
    return unexplored.any();
  }

  /// The number of the task that `worker` gets, from 1, with a * if the policy gave it; "" for none.
  std::string next(WorkerId worker) {
    const TaskRecord* const task = exploration_.next(worker, [&]() -> TaskRecord* {
      if (policy == 0) return nullptr;
      --policy;
      return &policys_;
    });
    if (task == nullptr) return "";
    return task == &policys_ ? "*" : std::to_string(task->sequence);
  }

  ClassSet never_known;  // of the tasks pushed from now on
  unsigned policy = 0;   // tasks in the policy's queue

  const Machine machine_ = des::machine(2, {1});
  EligibilityTable eligibility_{machine_};
  Exploration exploration_{{machine_, eligibility_}, kRuns};
  std::deque<TaskRecord> tasks_;
  TaskRecord policys_;
};

TEST_F(ExplorationTest, EachClassRunsAFewOfEachCodeletBeforeAnythingElse) {
  policy = 100;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(push(0));
  EXPECT_EQ(next(0), "1");
  EXPECT_EQ(next(1), "2");
  EXPECT_EQ(next(0), "*") << "the class had its runs";
  EXPECT_EQ(next(2), "3") << "the accelerator had none yet";
  EXPECT_EQ(next(2), "4");
  EXPECT_EQ(next(2), "5") << "its first run teaches nothing";
  EXPECT_EQ(next(2), "*");
  push(1);
  EXPECT_EQ(next(2), "11") << "another codelet";
}

TEST_F(ExplorationTest, WithoutATaskOfThePolicyAWorkerTakesWhatIsKept) {
  for (int i = 0; i < 5; ++i) push(0);
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(next(0), std::to_string(i));
  EXPECT_EQ(next(0), "");
}

TEST_F(ExplorationTest, OnlyClassesThatArePresentAndMayRunTheTaskAreExplored) {
  EXPECT_FALSE(push(0, 0b11));
  EXPECT_TRUE(push(0, 0b01));
  EXPECT_FALSE(push(0, 0b01, {0, 1})) << "the accelerator may not run it";
  exploration_.set_present(0b01);
  EXPECT_FALSE(push(0, 0b01)) << "no accelerator is here";
}

TEST_F(ExplorationTest, AClassWhoseTimeIsNeverKnownIsNotExplored) {
  never_known = 0b10;
  EXPECT_FALSE(push(0, 0b01));
  EXPECT_TRUE(push(0)) << "the time on the other class may be known one day";
  never_known.set();
  EXPECT_FALSE(push(0));
}

TEST_F(ExplorationTest, AClassWhoseTimeIsKnownDoesNotExplore) {
  policy = 1;
  push(0, 0b01);
  EXPECT_EQ(next(0), "*");
  EXPECT_EQ(next(2), "1");
}

TEST_F(ExplorationTest, NoneWaitsForAClassWhoseWorkersDoNotCome) {
  policy = 100;
  push(0, 0b01);
  push(0, 0b01);
  for (int turn = 0; turn < 2; ++turn) {
    for (unsigned i = 0; i < machine_.workers(); ++i) EXPECT_EQ(next(0), "*");
    EXPECT_EQ(next(0), std::to_string(turn + 1));
  }
}

TEST_F(ExplorationTest, TheHigherPriorityThenTheOlderLeavesFirstAndOnlyToWhoMayRunIt) {
  push(0, {}, {2}, 9);
  push(0);
  push(1, {}, {0, 1, 2}, 5);
  push(1, {}, {0, 1, 2}, 5);
  EXPECT_EQ(next(0), "3");
  EXPECT_EQ(next(0), "4");
  EXPECT_EQ(next(0), "2");
  EXPECT_EQ(next(0), "");
  EXPECT_EQ(next(2), "1");
}

TEST_F(ExplorationTest, AllComeOutInTheOrderOfTheirArrival) {
  push(3);
  push(1, {}, {0, 1, 2}, 7);
  push(3);
  push(2, {}, {2});
  std::string order;
  for (const TaskRecord* const task : exploration_.take_all()) order += std::to_string(task->sequence);
  EXPECT_EQ(order, "1234");
  EXPECT_EQ(next(0), "");
  EXPECT_EQ(next(2), "");
}

TEST_F(ExplorationTest, ThoseOfSomeCodeletsComeOutAndTheOthersStay) {
  push(3);
  push(1);
  push(2);
  push(3, {}, {2});
  push(2, {}, {0, 1, 2}, 7);
  push(0);
  std::string order;
  for (const TaskRecord* const task : exploration_.take_all({3, 2, 4, 3})) order += std::to_string(task->sequence);
  EXPECT_EQ(order, "1345");
  EXPECT_EQ(next(0), "2");
  EXPECT_EQ(next(0), "6");
  EXPECT_EQ(next(0), "");
}

}  // namespace
}  // namespace starpath
