// STARPATH_SPEEDUP_ERROR: how large errors are, how they fall, and whom they reach.
#include "sched_policies/options/injected_errors.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

TEST(InjectedErrors, AreOfTheAskedSizeBothWaysAndRepeat) {
  int up = 0;
  for (std::uint64_t task = 0; task < 1000; ++task) {
    EXPECT_GT(injected_error({.fraction = 1, .seed = 3}, task, 1), 0) << "its speedup would be infinite";
    const double wrong = injected_error({.fraction = 0.25, .seed = 3}, task, 1);
    EXPECT_TRUE(wrong == 0.75 || wrong == 1.25) << wrong;
    EXPECT_EQ(wrong, injected_error({.fraction = 0.25, .seed = 3}, task, 1));
    if (wrong > 1) ++up;
  }
  EXPECT_GT(up, 400);
  EXPECT_LT(up, 600);
}

TEST(InjectedErrors, DependOnTheSeed) {
  int same = 0;
  for (std::uint64_t task = 0; task < 1000; ++task)
    same += injected_error({.fraction = 1, .seed = 1}, task, 1) == injected_error({.fraction = 1, .seed = 2}, task, 1);
  EXPECT_GT(same, 400);
  EXPECT_LT(same, 600);
}

TEST(InjectedErrors, ReachTheTimesOfEveryClassApartAndSpeedupsFollow) {
  const Machine machine = des::machine(2, {1, 1});
  std::set<std::vector<double>> directions;
  for (std::uint64_t task = 0; task < 100; ++task) {
    Speedups speedups;
    ClassSeconds seconds{8.0, 2.0, 1.0};
    for (const ClassId id : {ClassId{0}, ClassId{1}, ClassId{2}}) speedups.set(id, 8 / *seconds[id]);
    inject_errors({.fraction = 0.25, .seed = 3}, task, machine, speedups, &seconds);
    directions.insert({*seconds[0] / 8, *seconds[1] / 2, *seconds[2]});
    for (const ClassId id : {ClassId{0}, ClassId{1}, ClassId{2}})
      EXPECT_DOUBLE_EQ(*speedups.of(id), *seconds[0] / *seconds[id]);
    EXPECT_FALSE(seconds[3]);
  }
  EXPECT_EQ(directions.size(), 8U) << "up or down on each of three classes";
}

TEST(InjectedErrors, ReachTimesWithoutABaselineAndTimesThatNobodyAsksFor) {
  const Machine machine = des::machine(0, {1, 1});
  Speedups none;
  ClassSeconds seconds;
  for (ClassId id = 0; id < machine.classes().size(); ++id) seconds[id] = 4;
  inject_errors({.fraction = 0.5, .seed = 1}, 7, machine, none, &seconds);
  for (ClassId id = 0; id < machine.classes().size(); ++id) EXPECT_TRUE(seconds[id] == 2 || seconds[id] == 6);
  EXPECT_FALSE(none.any());
  Speedups speedups;
  speedups.set(1, 4);
  inject_errors({.fraction = 0.5, .seed = 1}, 7, des::machine(1, {1}), speedups, nullptr);
  EXPECT_TRUE(speedups.of(1) == 4 || speedups.of(1) == 12 || *speedups.of(1) == 4.0 / 3);
}

}  // namespace
}  // namespace starpath
