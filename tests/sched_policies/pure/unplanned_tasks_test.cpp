// Ready tasks that nothing is planned for.
#include "sched_policies/planning/unplanned_tasks.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

class UnplannedTasksTest : public ::testing::Test {
 protected:
  UnplannedTasksTest() : machine_(des::machine(1, {1})), eligibility_(machine_), tasks_({machine_, eligibility_}) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      WorkerSet workers;
      workers.insert(i % 2);
      records_[i].sequence = i;
      records_[i].codelet = i < 4 ? 7 : 8;
      records_[i].guessed = i == 0 || i == 3 || i == 5;
      records_[i].group = eligibility_.intern(workers);
      tasks_.insert(records_[i]);
    }
  }

  Machine machine_;
  EligibilityTable eligibility_;
  UnplannedTasks tasks_;
  std::array<TaskRecord, 6> records_{};
};

TEST_F(UnplannedTasksTest, GuessedOnesOfACodeletAreGivenBackForEachWorker) {
  EXPECT_EQ(tasks_.take_guessed(7), (std::vector<TaskRecord*>{&records_[0], &records_[3]}));
  EXPECT_TRUE(tasks_.take_guessed(7).empty());
  EXPECT_EQ(tasks_.size(), 4U);
}

TEST_F(UnplannedTasksTest, TheOthersKeepTheirOrder) {
  tasks_.take_guessed(7);
  EXPECT_EQ(tasks_.take_before(0, nullptr), &records_[2]);
  EXPECT_EQ(tasks_.take_before(0, nullptr), &records_[4]);
  EXPECT_EQ(tasks_.take_before(1, nullptr), &records_[1]);
  EXPECT_EQ(tasks_.take_guessed(8), std::vector<TaskRecord*>{&records_[5]});
  EXPECT_EQ(tasks_.size(), 0U);
}

}  // namespace
}  // namespace starpath
