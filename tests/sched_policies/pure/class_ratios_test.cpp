// What is guessed of a codelet on a class that has no sample of it.
#include "sched_policies/core/class_ratios.hpp"

#include <gtest/gtest.h>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

constexpr ClassId kCoreClass = 0, kGpuClass = 1, kOtherClass = 2;

ClassSeconds times(std::optional<double> core, std::optional<double> gpu = {}, std::optional<double> other = {}) {
  return {core, gpu, other};
}

/// Cores, and two classes of accelerators.
class ClassRatiosTest : public ::testing::Test {
 protected:
  const Machine machine_ = des::machine(2, {1, 1});
  ClassRatios ratios_{machine_};
};

TEST_F(ClassRatiosTest, AnAcceleratorIsAssumedToBeEightTimesAsFast) {
  const Guesses guesses = ratios_.guess(0, times({}, 2.0));
  EXPECT_DOUBLE_EQ(*guesses.seconds[kCoreClass], 16);
  EXPECT_FALSE(guesses.seconds[kGpuClass]) << "it is known";
  EXPECT_DOUBLE_EQ(*guesses.seconds[kOtherClass], 2);
}

TEST_F(ClassRatiosTest, OtherCodeletsMoveTheRatioByAndBy) {
  ratios_.measured(0, times(2.0, 1.0));
  EXPECT_DOUBLE_EQ(*ratios_.guess(9, times({}, 1.0)).seconds[kCoreClass], 4) << "of 8 and 2";
  ratios_.measured(0, times(8.0, 4.0));
  EXPECT_DOUBLE_EQ(*ratios_.guess(9, times({}, 1.0)).seconds[kCoreClass], 4) << "each codelet counts once";
  ratios_.measured(1, times(2.0, 1.0));
  ratios_.measured(2, times(3.0));
  EXPECT_NEAR(*ratios_.guess(9, times({}, 1.0)).seconds[kCoreClass], std::cbrt(32), 1e-12);
  EXPECT_NEAR(*ratios_.guess(9, times(1.0)).seconds[kGpuClass], 1 / std::cbrt(32), 1e-12);
}

TEST_F(ClassRatiosTest, AGuessFromTwoClassesIsTheirMean) {
  EXPECT_NEAR(*ratios_.guess(0, times({}, 1.0, 4.0)).seconds[kCoreClass], 16, 1e-12) << "of 8 and 32";
}

TEST_F(ClassRatiosTest, AnAcceleratorsFirstRunLimitsAndASampleGoesBeforeIt) {
  ratios_.ran_first(0, kGpuClass, 3);
  const Guesses first = ratios_.guess(0, {});
  EXPECT_DOUBLE_EQ(*first.seconds[kGpuClass], 3);
  EXPECT_DOUBLE_EQ(*first.seconds[kCoreClass], 24);
  const Guesses measured = ratios_.guess(0, times({}, 1.0));
  EXPECT_FALSE(measured.seconds[kGpuClass]);
  EXPECT_DOUBLE_EQ(*measured.seconds[kCoreClass], 8);
  EXPECT_DOUBLE_EQ(*ratios_.guess(0, times(80.0)).seconds[kGpuClass], 3) << "no more than its first run took";
  EXPECT_DOUBLE_EQ(*ratios_.guess(0, times(8.0)).seconds[kGpuClass], 1) << "that run may have waited for the code";
}

TEST_F(ClassRatiosTest, ASingleSampleFarBeyondTheGuessIsDoubted) {
  const ClassSet core = ClassSet().set(kCoreClass);
  EXPECT_EQ(ratios_.doubted(0, times(65.0, 1.0), core), core) << "8 is guessed";
  EXPECT_TRUE(ratios_.doubted(0, times(63.0, 1.0), core).none());
  EXPECT_TRUE(ratios_.doubted(0, times(65.0, 1.0), {}).none()) << "there are other samples";
  EXPECT_TRUE(ratios_.doubted(0, times(65.0), core).none()) << "nothing to compare it with";
  EXPECT_TRUE(ratios_.doubted(0, times({}, 1.0), core).none());
  EXPECT_TRUE(ratios_.doubted(0, times(1e-9, 1.0), core).none()) << "no delay makes a task shorter";
}

TEST_F(ClassRatiosTest, NothingIsGuessedOfWhatNeverRan) {
  ratios_.measured(0, times(2.0, 1.0));
  for (const auto& seconds : ratios_.guess(5, {}).seconds) EXPECT_FALSE(seconds);
}

}  // namespace
}  // namespace starpath
