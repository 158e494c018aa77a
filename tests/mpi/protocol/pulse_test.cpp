// Signs of life.
#include "mpi/protocol/pulse.hpp"

#include <gtest/gtest.h>

namespace starpath::cluster {
namespace {

TEST(Pulse, ASilentRankIsLostAfterThePatience) {
  Pulse pulse({1, 2}, 60, 0);
  for (double now = 0; now <= 50; now += 10) {
    pulse.heard(2, now);
    EXPECT_FALSE(pulse.lost(now));
  }
  EXPECT_FALSE(pulse.lost(60));
  EXPECT_EQ(pulse.lost(61), 1);
}

TEST(Pulse, OneThatHasLeftIsNotMissed) {
  Pulse pulse({1}, 60, 0);
  pulse.forget(1);
  EXPECT_FALSE(pulse.watches(1));
  for (double now = 0; now < 200; now += 10) EXPECT_FALSE(pulse.lost(now));
}

TEST(Pulse, BeatsSixTimesWithinThePatience) {
  Pulse pulse({1}, 60, 0);
  int beats = 0;
  for (int now = 1; now <= 60; ++now) beats += pulse.beat(now);
  EXPECT_EQ(beats, 6);
}

TEST(Pulse, WhoWasStoppedItselfBlamesNobody) {
  Pulse pulse({1}, 60, 0);
  EXPECT_FALSE(pulse.lost(10));
  EXPECT_FALSE(pulse.lost(1000)) << "this process was suspended: rank 1 could not be heard";
  EXPECT_FALSE(pulse.lost(1020));
  EXPECT_FALSE(pulse.lost(1040));
  EXPECT_EQ(pulse.lost(1061), 1);
}

}  // namespace
}  // namespace starpath::cluster
