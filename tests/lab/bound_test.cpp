// Bounds against cases solved by hand.
#include "lab/bounds/bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/pure/random.hpp"

namespace starpath::lab {
namespace {

using Tasks = std::vector<BoundTask>;
using Workers = std::vector<unsigned>;

constexpr double kNever = HUGE_VAL;

void expect_bounds(const Tasks& tasks, const Workers& workers, double area, double path, double dag) {
  EXPECT_NEAR(area_bound(tasks, workers), area, 1e-5 * area);
  EXPECT_NEAR(critical_path(tasks, workers), path, 1e-9);
  EXPECT_NEAR(dag_bound(tasks, workers), dag, 1e-6 * dag);
}

TEST(Bound, OneClassIsTheMeanLoad) { expect_bounds({{{3}, {}}, {{5}, {}}, {{4}, {}}}, {2}, 6, 5, 6); }

TEST(Bound, NothingToDoTakesNoTime) {
  EXPECT_EQ(area_bound(Tasks{}, Workers{2, 1}), 0);
  EXPECT_EQ(dag_bound(Tasks{}, Workers{2, 1}), 0);
  EXPECT_EQ(makespan_bound(Tasks{}, Workers{2, 1}), 0);
}

// Areas: the GPU takes the second task and a third of the first; the core two thirds of the first: 4/3 each. But then
// the first task takes 5/3. With 3/7 of the first and 1/7 of the second on the core, both tasks and the GPU take 10/7.
TEST(Bound, TwoClassesShareATask) { expect_bounds({{{2, 1}, {}}, {{4, 1}, {}}}, {1, 1}, 4.0 / 3, 1, 10.0 / 7); }

// Each of three classes is best at one task: everyone runs its own.
TEST(Bound, ThreeClassesEachItsOwn) {
  expect_bounds({{{1, 2, 2}, {}}, {{2, 1, 2}, {}}, {{2, 2, 1}, {}}}, {1, 1, 1}, 1, 1, 1);
}

// Two equal tasks of 6 on a core, 3 on a GPU, 2 on a MIC: rates 1/6, 1/3 and 1/2 add up to 1 task a second. No task may
// itself take longer than the whole: 2/5 of each on the GPU and 3/5 on the MIC make 2.4.
TEST(Bound, RatesOfThreeClassesAddUp) { expect_bounds({{{6, 3, 2}, {}}, {{6, 3, 2}, {}}}, {1, 1, 1}, 2, 2, 2.4); }

// The GPU-only task fills the GPU while the cores share the other.
TEST(Bound, ATaskThatRunsInOnePlace) { expect_bounds({{{kNever, 3}, {}}, {{4, 4}, {}}}, {2, 1}, 3, 4, 4); }

TEST(Bound, ClassesWithoutWorkersDoNotCount) { expect_bounds({{{4, 1}, {}}, {{4, 1}, {}}}, {2, 0}, 4, 4, 4); }

TEST(Bound, AChainIsAsLongAsItsTasks) { expect_bounds({{{2, 1}, {}}, {{2, 1}, {0}}}, {1, 1}, 4.0 / 3, 2, 2); }

// Areas alone: 2. The chain alone: 2. But what the chain leaves to the core makes it longer: with g of the chain's two
// tasks on the GPU, 4 - g for the chain and 1 + g for the GPU, equal at g = 1.5.
TEST(Bound, AreasAndChainsTogetherAreMoreThanEither) {
  expect_bounds({{{2, 1}, {}}, {{2, 1}, {0}}, {{kNever, 1}, {}}}, {1, 1}, 2, 2, 2.5);
}

TEST(Bound, ATaskThatRunsNowhereIsAnError) {
  EXPECT_THROW(area_bound(Tasks{{{kNever, 1}, {}}}, Workers{4, 0}), Error);
  EXPECT_THROW(dag_bound(Tasks{{{kNever, 1}, {}}}, Workers{4, 0}), Error);
}

/// The best of all placements of independent tasks, by trying each.
double best_makespan(const Tasks& tasks, const Workers& workers) {
  std::vector<std::size_t> class_of;
  for (std::size_t c = 0; c < workers.size(); ++c) class_of.insert(class_of.end(), workers[c], c);
  std::size_t placements = 1;
  for (std::size_t i = 0; i < tasks.size(); ++i) placements *= class_of.size();
  double best = kNever;
  for (std::size_t code = 0; code < placements; ++code) {
    std::vector<double> load(class_of.size());
    std::size_t rest = code;
    for (const BoundTask& task : tasks) {
      load[rest % class_of.size()] += task.seconds[class_of[rest % class_of.size()]];
      rest /= class_of.size();
    }
    best = std::min(best, *std::max_element(load.begin(), load.end()));
  }
  return best;
}

TEST(Bound, IsNeverAboveTheBestSchedule) {
  SplitMix64 random(7);
  for (int round = 0; round < 50; ++round) {
    Tasks tasks;
    for (int i = 0; i < 6; ++i)
      tasks.push_back({{1 + 9 * random.uniform(), 1 + 3 * random.uniform(), 1 + 3 * random.uniform()}, {}});
    const Workers workers{2, 1, 1};
    const double best = best_makespan(tasks, workers), area = area_bound(tasks, workers),
                 dag = dag_bound(tasks, workers);
    EXPECT_LE(dag, best * (1 + 1e-9)) << "round " << round;
    EXPECT_LE(area, dag * (1 + 1e-9)) << "round " << round;
    EXPECT_GT(area, best / 2) << "round " << round;
  }
}

TEST(Bound, ManyTasksTakeTheirMeanRate) {
  // Halves of the tasks suit one class each: one class works on one kind, and both end together.
  Tasks tasks;
  for (int i = 0; i < 20000; ++i)
    tasks.push_back({i % 2 == 0 ? std::vector<double>{1, 10} : std::vector<double>{10, 1}, {}});
  EXPECT_NEAR(area_bound(tasks, Workers{1, 1}), 10000, 0.1);
}

}  // namespace
}  // namespace starpath::lab
