// Several runs that share one window of tiles.
#include "pipelines/run/tile_window.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

/// A run that notes what it is told.
struct Listener : TileSink {
  void give(std::vector<std::int64_t> tiles) override { got.insert(got.end(), tiles.begin(), tiles.end()); }
  void no_more(bool drop) override { ends.push_back(drop); }
  void done_elsewhere(const TileDone&) override { FAIL(); }
  void over(bool interrupted) override { overs.push_back(interrupted); }

  std::vector<std::int64_t> got;
  std::vector<bool> ends, overs;
};

constexpr TileDone kDone{0, false, false, 0, ""};
using Tiles = std::vector<std::int64_t>;

TEST(TileWindow, TheNextRunGetsWhatTheFirstDoesNotNeed) {
  Listener a, b;
  TileWindow window(3);
  const auto first = window.join({0, 1}), second = window.join({0, 1, 2});
  first->start(a);
  second->start(b);
  second->request(3);  // asks first, and nobody else has asked
  first->request(3);
  EXPECT_EQ(b.got, (Tiles{0, 1, 2}));
  EXPECT_EQ(a.got, Tiles{});
  second->finished(kDone);
  EXPECT_EQ(a.got, Tiles{0});
  EXPECT_EQ(window.unfinished(), 4u);
}

TEST(TileWindow, TheFirstRunIsServedFirst) {
  Listener a, b;
  TileWindow window(1);
  const auto first = window.join({7, 8}), second = window.join({9});
  first->start(a);
  second->start(b);
  first->request(1);
  second->request(1);
  first->request(1);
  EXPECT_EQ(a.got, Tiles{7});
  first->finished(kDone);
  EXPECT_EQ(a.got, (Tiles{7, 8}));
  EXPECT_EQ(a.ends, std::vector{false});
  EXPECT_EQ(b.got, Tiles{});
  first->finished(kDone);
  EXPECT_EQ(b.got, Tiles{9});
}

TEST(TileWindow, ARunThatIsDrainedIsOver) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({1});
  run->start(listener);
  run->request(2);
  run->finished(kDone);
  run->drained(0);
  EXPECT_EQ(listener.overs, std::vector{false});
  EXPECT_EQ(window.unfinished(), 0u);
}

TEST(TileWindow, ARunWithoutTilesEndsWhenItAsks) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({});
  run->start(listener);
  run->request(2);
  EXPECT_EQ(listener.ends, std::vector{false});
}

TEST(TileWindow, WhatAFailedRunHeldIsFreeAgain) {
  Listener a, b;
  int changes = 0;
  TileWindow window(2, [&] { ++changes; });
  auto failing = window.join({1, 2, 3});
  const auto other = window.join({4, 5});
  failing->start(a);
  other->start(b);
  failing->request(2);
  other->request(2);
  EXPECT_EQ(b.got, Tiles{});
  failing->leave();
  failing.reset();
  EXPECT_EQ(b.got, (Tiles{4, 5}));
  EXPECT_EQ(window.unfinished(), 2u);
  EXPECT_EQ(changes, 1);
}

TEST(TileWindow, StoppedItGivesNothingMore) {
  Listener a, b;
  TileWindow window(1);
  const auto first = window.join({1, 2}), second = window.join({3});
  first->start(a);
  second->start(b);
  first->request(1);
  second->request(1);
  window.stop();
  EXPECT_EQ(a.ends, std::vector{true});
  EXPECT_EQ(b.ends, std::vector{true});
  first->finished(kDone);
  EXPECT_EQ(b.got, Tiles{});
  first->drained(0);
  second->drained(0);
  EXPECT_EQ(a.overs, std::vector{true});
  EXPECT_EQ(b.overs, std::vector{true});
}

TEST(TileWindow, DroppedTilesAreLeft) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({1, 2});
  run->start(listener);
  run->request(2);
  run->drained(2);
  EXPECT_EQ(listener.overs, std::vector{true});
  EXPECT_EQ(window.unfinished(), 0u);
}

}  // namespace
}  // namespace starpath
