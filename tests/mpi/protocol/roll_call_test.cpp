// Rank 0 waits until all are ready, or one never will be.
#include "mpi/protocol/roll_call.hpp"

#include <gtest/gtest.h>

namespace starpath::mpi {
namespace {

const Agreement kAgreement{"1", "slide", "{}"};

TEST(RollCall, IsOverWhenEveryOtherRankIsReady) {
  EXPECT_TRUE(RollCall(1, kAgreement).over());
  RollCall roll(3, kAgreement);
  roll.receive(2, Hello{kAgreement});
  roll.receive(2, Hello{kAgreement});
  roll.receive(1, Alive{});
  roll.receive(1, Interrupted{});
  EXPECT_FALSE(roll.over());
  roll.receive(1, Hello{kAgreement});
  EXPECT_TRUE(roll.over());
  EXPECT_FALSE(roll.failure());
}

TEST(RollCall, IsOverWhenARankGivesUp) {
  RollCall roll(3, kAgreement);
  roll.receive(2, Failed{7, "no device", 0});
  roll.receive(1, Failed{4, "later", 0});
  ASSERT_TRUE(roll.over());
  EXPECT_EQ(roll.failure()->rank, 2);
  EXPECT_EQ(roll.failure()->kind, 7);
  EXPECT_EQ(roll.failure()->reason, "no device");
}

TEST(RollCall, IsOverWhenARankDiffers) {
  RollCall roll(3, kAgreement);
  roll.receive(1, Hello{{"1", "another", "{}"}});
  ASSERT_TRUE(roll.over());
  EXPECT_EQ(roll.failure()->rank, 1);
  EXPECT_EQ(roll.failure()->kind, kMismatch);
  EXPECT_NE(roll.failure()->reason.find("another slide"), std::string::npos);
}

}  // namespace
}  // namespace starpath::mpi
