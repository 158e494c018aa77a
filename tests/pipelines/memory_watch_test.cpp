// When a run that gets no memory is given up.
#include "pipelines/run/memory_watch.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

/// Signs that a test sets.
struct Signs {
  bool working = false, no_room = true;
  std::uint64_t begun = 0;
  std::int64_t asked = 0;

  MemoryWatch watch(std::int64_t largest) {
    return MemoryWatch(largest, {[this] { return working; }, [this] { return begun; },
                                 [this](std::int64_t bytes) {
                                   asked = bytes;
                                   return no_room;
                                 }});
  }
};

/// Whether any of so many looks finds the run starved.
bool starved_within(int looks, MemoryWatch& watch) {
  bool starved = false;
  for (; looks > 0; --looks) starved = watch.starved() || starved;
  return starved;
}

TEST(MemoryWatch, EndsWhatNeitherWorksNorGetsMemory) {
  Signs signs;
  MemoryWatch watch = signs.watch(1000);
  EXPECT_FALSE(starved_within(MemoryWatch::kPatience - 1, watch));
  EXPECT_TRUE(watch.starved());
  EXPECT_EQ(signs.asked, 1000);
}

TEST(MemoryWatch, ATaskThatRunsOrHasRunBeginsThePatienceAnew) {
  Signs signs;
  MemoryWatch watch = signs.watch(1000);
  EXPECT_FALSE(starved_within(MemoryWatch::kPatience - 1, watch));
  signs.working = true;
  EXPECT_FALSE(watch.starved());
  signs.working = false;
  EXPECT_FALSE(starved_within(MemoryWatch::kPatience - 1, watch));
  ++signs.begun;
  EXPECT_FALSE(starved_within(MemoryWatch::kPatience, watch));
  EXPECT_TRUE(watch.starved());
}

TEST(MemoryWatch, ASlowRunWithRoomGoesOn) {
  Signs signs;
  signs.no_room = false;
  MemoryWatch watch = signs.watch(1000);
  EXPECT_FALSE(starved_within(100, watch));
}

TEST(MemoryWatch, ARunWithoutDataNeedsNoMemory) {
  Signs signs;
  MemoryWatch watch = signs.watch(0);
  EXPECT_FALSE(starved_within(100, watch));
}

}  // namespace
}  // namespace starpath
