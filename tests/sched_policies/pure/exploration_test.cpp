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

  /// Whether the task is kept. `core`, `accelerator`: seconds there, if they are known.
  bool push(CodeletId codelet, std::optional<double> core = {}, std::optional<double> accelerator = {},
            const std::vector<WorkerId>& workers = {0, 1, 2}, int priority = 0) {
    TaskRecord& task = tasks_.emplace_back();
    task.codelet = codelet;
    task.priority = priority;
    task.sequence = tasks_.size();
    task.group = group(workers);
    const ClassSeconds seconds = {core, accelerator};
    const auto outlook = exploration_.look(task.group, seconds, ratios_.guess(codelet, seconds), never_known);
    if (outlook.unexplored.any()) exploration_.push(task, outlook, now);
    return outlook.unexplored.any();
  }

  /// The number of the task that `worker` gets, from 1, with a * if the policy gave it; "" for none.
  std::string next(WorkerId worker) {
    exploration_.asks(worker);
    const bool offered = exploration_.offers(worker, now);
    const TaskRecord* const task = exploration_.next(worker, now, [&]() -> TaskRecord* {
      if (policy == 0) return nullptr;
      --policy;
      return &policys_;
    });
    if (task == nullptr) {
      EXPECT_FALSE(offered) << "nobody wakes a worker that gets nothing";
      return "";
    }
    if (task == &policys_) return "*";
    EXPECT_TRUE(offered);
    return std::to_string(task->sequence);
  }

  ClassSet never_known;  // of the tasks pushed from now on
  unsigned policy = 0;   // tasks in the policy's queue
  double now = 0;

  const Machine machine_ = des::machine(2, {1});
  EligibilityTable eligibility_{machine_};
  Exploration exploration_{{machine_, eligibility_}, kRuns};
  ClassRatios ratios_{machine_};  // an accelerator is assumed to be eight times as fast
  std::deque<TaskRecord> tasks_;
  TaskRecord policys_;
};

TEST_F(ExplorationTest, AnAcceleratorRunsAFewOfEachCodeletBeforeAnythingElse) {
  policy = 100;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(push(0));
  EXPECT_EQ(next(2), "1");
  EXPECT_EQ(next(2), "2");
  EXPECT_EQ(next(2), "3") << "its first run teaches nothing";
  EXPECT_EQ(next(2), "*") << "the class had its runs";
  push(1);
  EXPECT_EQ(next(2), "11") << "another codelet";
}

TEST_F(ExplorationTest, CoresExploreWhatOnlyCoresRun) {
  policy = 100;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(push(0, {}, {}, {0, 1}));
  EXPECT_EQ(next(0), "1");
  EXPECT_EQ(next(1), "2");
  EXPECT_EQ(next(0), "*") << "the class had its runs";
}

TEST_F(ExplorationTest, WithoutATaskOfThePolicyAWorkerTakesWhatIsKept) {
  for (int i = 0; i < 5; ++i) push(0, {}, {}, {0, 1});
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(next(0), std::to_string(i));
  EXPECT_EQ(next(0), "");
}

TEST_F(ExplorationTest, CoresLeaveWhatNothingIsKnownOfToAccelerators) {
  for (int i = 0; i < 100; ++i) push(0);
  EXPECT_EQ(next(0), "");
  EXPECT_EQ(next(2), "1");
}

TEST_F(ExplorationTest, ACoreTriesATaskWhereAcceleratorsNeedAsLongForAllTasks) {
  for (int i = 0; i < 7; ++i) push(0, {}, 1.0);
  EXPECT_EQ(next(0), "") << "guessed to take 8, all take 7 on the accelerator";
  push(1, {}, 1.0);
  EXPECT_EQ(next(0), "1") << "those of other codelets count";
  EXPECT_EQ(next(2), "2");
}

TEST_F(ExplorationTest, NoSecondCoreTriesTheCodeletBeforeTheFirstReturns) {
  for (int i = 0; i < 40; ++i) push(i % 2 == 0 ? 0 : 1, {}, 1.0);
  EXPECT_EQ(next(0), "1");
  EXPECT_EQ(exploration_.tried(0), 0b01);
  EXPECT_EQ(next(1), "2") << "of the other codelet";
  exploration_.asks(1);
  EXPECT_EQ(next(1), "4");
  EXPECT_EQ(next(0), "3") << "its first has ended";
}

TEST_F(ExplorationTest, ATryOfThePolicysTaskCountsToo) {
  TaskRecord task;
  task.codelet = 3;
  EXPECT_FALSE(exploration_.begin_try(2, task)) << "accelerators may run many";
  EXPECT_TRUE(exploration_.begin_try(1, task));
  EXPECT_EQ(exploration_.tried(3), 0b01);
  EXPECT_EQ(exploration_.asks(1), CodeletId{3});
  EXPECT_TRUE(exploration_.tried(3).none());
}

TEST_F(ExplorationTest, AnAcceleratorThatDoesNotComeKeepsNoCoreFromATask) {
  push(0);
  push(0);
  now = 0.9;
  EXPECT_EQ(next(0), "");
  now = 1.1;
  EXPECT_EQ(next(0), "1");
  EXPECT_EQ(next(1), "") << "a core tries it";
  exploration_.asks(0);
  EXPECT_EQ(next(1), "2");
}

TEST_F(ExplorationTest, AnAcceleratorThatRunsATaskIsWaitedForLonger) {
  push(0);
  push(0);
  EXPECT_EQ(next(2), "1");
  now = 500;
  EXPECT_EQ(next(0), "");
  now = 700;
  EXPECT_EQ(next(0), "2");
}

TEST_F(ExplorationTest, OnlyClassesThatArePresentAndMayRunTheTaskAreExplored) {
  EXPECT_FALSE(push(0, 1.0, 1.0));
  EXPECT_TRUE(push(0, 1.0));
  EXPECT_FALSE(push(0, 1.0, {}, {0, 1})) << "the accelerator may not run it";
  exploration_.set_present(0b01);
  EXPECT_FALSE(push(0, 1.0)) << "no accelerator is here";
  EXPECT_TRUE(push(1));
  EXPECT_EQ(next(0), "5") << "a core waits for none";
}

TEST_F(ExplorationTest, AClassWhoseTimeIsNeverKnownIsNotExplored) {
  never_known = 0b10;
  EXPECT_FALSE(push(0, 1.0));
  EXPECT_TRUE(push(0)) << "the time on the other class may be known one day";
  EXPECT_EQ(next(0), "2") << "and an accelerator that tells nothing is not waited for";
  never_known.set();
  EXPECT_FALSE(push(0));
}

TEST_F(ExplorationTest, AClassWhoseTimeIsKnownDoesNotExplore) {
  policy = 1;
  push(0, 1.0);
  EXPECT_EQ(next(0), "*");
  EXPECT_EQ(next(2), "1");
}

TEST_F(ExplorationTest, NoneWaitsForAClassWhoseWorkersDoNotCome) {
  policy = 100;
  push(0, 1.0);
  push(0, 1.0);
  now = 2;
  for (int turn = 0; turn < 2; ++turn) {
    for (unsigned i = 0; i < machine_.workers(); ++i) EXPECT_EQ(next(0), "*");
    EXPECT_EQ(next(0), std::to_string(turn + 1));
  }
}

TEST_F(ExplorationTest, TheHigherPriorityThenTheOlderLeavesFirstAndOnlyToWhoMayRunIt) {
  push(0, {}, {}, {0}, 9);
  push(0);
  push(1, {}, {}, {0, 1, 2}, 5);
  push(1, {}, {}, {0, 1, 2}, 5);
  EXPECT_EQ(next(2), "3");
  EXPECT_EQ(next(2), "4");
  EXPECT_EQ(next(2), "2");
  EXPECT_EQ(next(2), "");
  EXPECT_EQ(next(0), "1");
}

TEST_F(ExplorationTest, AllComeOutInTheOrderOfTheirArrival) {
  push(3);
  push(1, {}, {}, {0, 1, 2}, 7);
  push(3);
  push(2, {}, {}, {2});
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
  push(3, {}, {}, {2});
  push(2, {}, {}, {0, 1, 2}, 7);
  push(0);
  std::string order;
  for (const TaskRecord* const task : exploration_.take_all({3, 2, 4, 3})) order += std::to_string(task->sequence);
  EXPECT_EQ(order, "1345");
  EXPECT_EQ(next(2), "2");
  EXPECT_EQ(next(2), "6");
  EXPECT_EQ(next(2), "");
}

}  // namespace
}  // namespace starpath
