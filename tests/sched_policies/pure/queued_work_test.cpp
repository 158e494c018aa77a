// Queued work: its sums against sums over all tasks.
#include "sched_policies/apex/queued_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

struct Queued {
  TaskRecord record;
  CostedTask task;
};

class QueuedWorkTest : public testing::Test {
 protected:
  /// Costs of a task with these seconds on a CPU and on a GPU, and copies to each of the two GPUs.
  void set(Queued& queued, double cpu, double gpu, double copy, double upward_rank) {
    queued.task.task = &queued.record;
    queued.task.seconds[0] = static_cast<float>(cpu);
    queued.task.seconds[1] = static_cast<float>(gpu);
    queued.task.least = static_cast<float>(std::min(cpu, gpu));
    queued.task.copies[1] = static_cast<float>(copy);
    queued.task.upward_rank = upward_rank;
  }
  double weight_of(const Queued& queued) const {
    double least = places_.cost(queued.task, 0);
    for (PlaceId place = 1; place < places_.size(); ++place) least = std::min(least, places_.cost(queued.task, place));
    return least;
  }

  Machine machine_ = des::machine(2, {2});
  Places places_{machine_};
  QueuedWork work_{places_};
};

TEST_F(QueuedWorkTest, WorkersOfOneClassAndMemoryShareAPlace) {
  ASSERT_EQ(places_.size(), 3U);
  EXPECT_EQ(places_.of(0), places_.of(1));
  EXPECT_NE(places_.of(2), places_.of(3));
  places_.set_present(1, true);
  places_.set_present(1, true);
  EXPECT_EQ(places_[places_.of(1)].present, 1U);
}

TEST_F(QueuedWorkTest, ATaskCountsWhereItCostsLeast) {
  Queued queued;
  set(queued, 8, 2, 1, 5);  // 8 on a core, 3 on the first GPU, 2 on the second
  work_.insert(queued.task);
  EXPECT_EQ(work_.weight(), 2);
  EXPECT_EQ(work_.speed(places_.of(0)), 0.25);
  EXPECT_EQ(work_.speed(places_.of(3)), 1);
  EXPECT_EQ(work_.by_upward_rank(places_.of(3)).before(0), 2);
  EXPECT_EQ(work_.by_upward_rank(places_.of(2)).before(0), 0);
  work_.remove(queued.task);
  EXPECT_EQ(work_.speed(places_.of(3)), 0);
  EXPECT_EQ(work_.by_upward_rank(places_.of(3)).before(0), 0);
}

TEST_F(QueuedWorkTest, AnotherUpwardRankIsAnotherLevel) {
  Queued queued;
  set(queued, 8, 2, 1, 5);
  work_.insert(queued.task);
  work_.set_upward_rank(queued.task, 50);
  const WorkByUpwardRank& sums = work_.by_upward_rank(places_.of(3));
  EXPECT_EQ(sums.before(WorkByUpwardRank::level(20)), 2);
  EXPECT_EQ(sums.before(WorkByUpwardRank::level(100)), 0);
  EXPECT_EQ(work_.weight(), 2);
}

TEST_F(QueuedWorkTest, SumsAreThoseOfAllTasks) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> seconds(0.1, 10);
  std::vector<Queued> all(200);
  for (Queued& queued : all) {
    set(queued, seconds(random), seconds(random), seconds(random), seconds(random));
    queued.record.sequence = random();
    work_.insert(queued.task);
  }
  for (std::size_t i = 0; i < 100; ++i) work_.remove(all[i].task);
  double weight = 0, at_core = 0;
  for (std::size_t i = 100; i < all.size(); ++i) {
    const double least = weight_of(all[i]);
    weight += least;
    at_core += least * least / places_.cost(all[i].task, places_.of(0));
  }
  EXPECT_NEAR(work_.weight(), weight, 1e-6 * weight);
  EXPECT_NEAR(work_.speed(places_.of(0)), at_core / weight, 1e-6);
  for (std::size_t i = 100; i < all.size(); ++i) work_.remove(all[i].task);
  EXPECT_EQ(work_.weight(), 0);
  EXPECT_EQ(work_.size(), 0U);
}

}  // namespace
}  // namespace starpath
