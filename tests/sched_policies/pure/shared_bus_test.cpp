// The bus by hand: even shares, and the step to the next end.
#include "sched_policies/apex/shared_bus.hpp"

#include <gtest/gtest.h>

#include <array>

namespace starpath {
namespace {

TEST(SharedBus, LinksThatCopyGoOnAtOneSpeedUntilTheFirstIsDone) {
  const std::array<double, 3> backlogs{6, 0, 2};
  const SharedBus::Step step = SharedBus{1}.step(backlogs, 100);
  EXPECT_EQ(step.links, 2);
  EXPECT_DOUBLE_EQ(step.copied, 2);
  EXPECT_DOUBLE_EQ(step.seconds, 4) << "half as fast as alone";
  EXPECT_FALSE(step.to_end);
}

TEST(SharedBus, AStepEndsWithTheTime) {
  const std::array<double, 2> backlogs{6, 2};
  const SharedBus::Step step = SharedBus{2}.step(backlogs, 1);
  EXPECT_DOUBLE_EQ(step.copied, 1) << "wide enough for both";
  EXPECT_DOUBLE_EQ(step.seconds, 1);
  EXPECT_TRUE(step.to_end);
  EXPECT_EQ(SharedBus{1}.step(std::array<double, 2>{}, 1).links, 0);
}

TEST(SharedBus, ALinkWaitsForAsMuchOfEachOther) {
  const std::array<double, 3> backlogs{3, 1, 9};
  const auto others = [&](std::size_t link) { return backlogs[link]; };
  EXPECT_DOUBLE_EQ(SharedBus{1}.seconds_for(3, 0, 3, others), 7) << "3, 1 and 3";
  EXPECT_DOUBLE_EQ(SharedBus{3}.seconds_for(3, 0, 3, others), 3);
}

}  // namespace
}  // namespace starpath
