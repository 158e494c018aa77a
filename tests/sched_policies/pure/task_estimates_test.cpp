// Which estimates count as known.
#include "sched_policies/estimates/task_estimates.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace starpath {
namespace {

constexpr ClassId kSlow = 0, kFast = 1;

/// Of a task that takes `slow` and `fast` seconds.
TaskEstimates of(std::optional<double> slow, std::optional<double> fast) {
  const Machine machine({{"slow", DeviceKind::cpu}, {"fast", DeviceKind::accelerator}}, {kSlow, kFast}, {0, 0});
  TaskEstimates found;
  collect(
      machine, [&](ClassId id) { return id == kSlow ? slow : fast; }, found);
  return found;
}

TEST(TaskEstimates, SpeedupIsTheTimeOnTheBaselineOverThatOnTheClass) {
  const TaskEstimates found = of(3, 2);
  EXPECT_EQ(found.speedups.of(kFast), 1.5);
  EXPECT_EQ(found.speedups.of(kSlow), 1);
  EXPECT_EQ(found.speedups.seconds(kFast), 2) << "as follows from the speedup";
  EXPECT_EQ(of({}, 2).speedups.seconds(kFast), std::nullopt) << "without a baseline";
}

TEST(TaskEstimates, ATimeThatNoTaskCanTakeIsUnknown) {
  using Limits = std::numeric_limits<double>;
  for (const double wrong : {0.0, -1.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                             Limits::denorm_min(), 1e-300, 9e-13, 1.1e9, 1e300, Limits::max()}) {
    const TaskEstimates found = of(1, wrong);
    EXPECT_EQ(found.seconds[kFast], std::nullopt) << wrong;
    EXPECT_EQ(found.speedups.of(kFast), std::nullopt) << wrong;
    EXPECT_EQ(found.seconds[kSlow], 1) << wrong;
    EXPECT_FALSE(of(wrong, 1).speedups.any()) << wrong;
  }
}

TEST(TaskEstimates, SpeedupsOfTheLongestAndTheShortestTimeAreNumbers) {
  EXPECT_EQ(of(1e9, 1e-12).speedups.of(kFast), 1e21);
  EXPECT_EQ(of(1e-12, 1e9).speedups.of(kFast), 1e-21);
}

}  // namespace
}  // namespace starpath
