// How much of what ends is replaced, by hand.
#include "sched_policies/planning/replacement.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

/// Tasks of one second.
class ReplacementTest : public testing::Test {
 protected:
  void come(int tasks) {
    for (int i = 0; i < tasks; ++i) replacement_.came(1, ++outstanding_);
  }
  void end(int tasks) {
    for (int i = 0; i < tasks; ++i, --outstanding_) replacement_.ended(1);
  }
  /// Each task that ends is followed by a new one.
  void flow(int tasks) {
    for (int i = 0; i < tasks; ++i) {
      end(1);
      come(1);
    }
  }
  Replacement replacement_;
  double outstanding_ = 0;
};

TEST_F(ReplacementTest, WhatIsSubmittedAtOnceReplacesNothing) {
  EXPECT_EQ(replacement_.share(), 0);
  come(100);
  EXPECT_EQ(replacement_.share(), 0);
  end(50);
  EXPECT_EQ(replacement_.share(), 0);
}

TEST_F(ReplacementTest, AWindowReplacesEverything) {
  come(100);
  flow(30);
  EXPECT_NEAR(replacement_.share(), 1, 0.1);
}

TEST_F(ReplacementTest, AGraphThatIsStillSubmittedWhenItsFirstTasksEndIsNoWindow) {
  come(80);
  end(2);
  come(20);
  EXPECT_LT(replacement_.share(), 0.5);
}

TEST_F(ReplacementTest, SoonAfterTheLastOneCameNothingIsReplaced) {
  come(100);
  flow(300);
  end(12);  // about an eighth
  EXPECT_LT(replacement_.share(), 0.5);
  end(25);
  EXPECT_LT(replacement_.share(), 0.1);
}

TEST_F(ReplacementTest, AWindowThatIsFilledInStepsCountsAsOne) {
  come(80);
  for (int tile = 0; tile < 20; ++tile) {
    end(10);
    come(10);
  }
  EXPECT_NEAR(replacement_.share(), 1, 0.1);
}

TEST_F(ReplacementTest, SoDoesASmallOne) {
  come(3);
  flow(20);
  EXPECT_GT(replacement_.share(), 0.9);
  end(1);  // and asks before its successor comes
  EXPECT_GT(replacement_.share(), 0.7);
}

TEST_F(ReplacementTest, WhatWidensTheWindowReplacesNothing) {
  come(160);
  end(40);
  come(100);  // 40 of them fill the window, 60 widen it
  EXPECT_EQ(replacement_.share(), 1);
  end(40);
  EXPECT_LT(replacement_.share(), 0.5);  // were all 100 counted, it would be 0.9
}

TEST_F(ReplacementTest, TheNextGraphStartsAnew) {
  come(100);
  flow(300);
  end(100);
  replacement_.all_ended();
  come(100);
  end(10);
  EXPECT_EQ(replacement_.share(), 0);
}

TEST_F(ReplacementTest, TasksOfUnknownTimeSayNothing) {
  for (int i = 0; i < 10; ++i) replacement_.came(0, 0);
  for (int i = 0; i < 10; ++i) replacement_.ended(0);
  EXPECT_EQ(replacement_.share(), 0);
}

}  // namespace
}  // namespace starpath
