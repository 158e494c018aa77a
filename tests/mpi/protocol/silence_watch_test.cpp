// Signs of life: when they are sent, and who is lost without them.
#include "mpi/protocol/silence_watch.hpp"

#include <gtest/gtest.h>

#include "mpi/protocol/heartbeat.hpp"

namespace starpath::mpi {
namespace {

TEST(SilenceWatch, ASilentRankIsLostAfterThePatience) {
  SilenceWatch watch({1, 2}, 60, 0);
  for (double now = 0; now <= 50; now += 10) {
    watch.heard(2, now);
    EXPECT_FALSE(watch.lost(now));
  }
  EXPECT_FALSE(watch.lost(60));
  EXPECT_EQ(watch.lost(61), 1);
}

TEST(SilenceWatch, OneThatHasLeftIsNotMissed) {
  SilenceWatch watch({1}, 60, 0);
  watch.forget(1);
  for (double now = 0; now < 200; now += 10) EXPECT_FALSE(watch.lost(now));
}

TEST(SilenceWatch, WhoWasStoppedItselfBlamesNobody) {
  SilenceWatch watch({1}, 60, 0);
  EXPECT_FALSE(watch.lost(10));
  EXPECT_FALSE(watch.lost(1000)) << "this process was suspended: rank 1 could not be heard";
  EXPECT_FALSE(watch.lost(1020));
  EXPECT_FALSE(watch.lost(1040));
  EXPECT_EQ(watch.lost(1061), 1);
}

TEST(Heartbeat, BeatsSixTimesWithinThePatience) {
  Heartbeat heartbeat(60, 0);
  int beats = 0;
  for (int now = 1; now <= 60; ++now) beats += heartbeat.due(now);
  EXPECT_EQ(beats, 6);
}

}  // namespace
}  // namespace starpath::mpi
