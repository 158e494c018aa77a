// Several runs that share one window of tiles.
#include "pipelines/run/tile_window.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

/// A run that notes what it is told.
struct Listener : TileSink {
  void give(std::vector<GivenInstance> instances) override {
    for (const GivenInstance& given : instances) got.push_back(given.instance.tile);
  }
  void drop() override { dropped = true; }
  void no_more() override { ++ends; }
  void done_elsewhere(const TileDone&) override { FAIL(); }
  void over(bool interrupted) override { overs.push_back(interrupted); }
  void forget(std::int64_t) override { FAIL(); }
  void hand_over(const StageInstance&, int) override { FAIL(); }

  std::vector<std::int64_t> got;
  bool dropped = false;
  int ends = 0;
  std::vector<bool> overs;
};

TileDone done(std::int64_t tile) { return {tile, false, false, 0, ""}; }
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
  second->finished(done(0));
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
  first->finished(done(7));
  EXPECT_EQ(a.got, (Tiles{7, 8}));
  EXPECT_EQ(a.ends, 1);
  EXPECT_EQ(b.got, Tiles{});
  first->finished(done(8));
  EXPECT_EQ(b.got, Tiles{9});
}

TEST(TileWindow, ARunThatIsDrainedIsOver) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({1});
  run->start(listener);
  run->request(2);
  run->finished(done(1));
  run->drained();
  EXPECT_EQ(listener.overs, std::vector{false});
  EXPECT_EQ(window.unfinished(), 0u);
}

TEST(TileWindow, ARunWithoutTilesEndsWhenItAsks) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({});
  run->start(listener);
  run->request(2);
  EXPECT_EQ(listener.ends, 1);
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
  EXPECT_TRUE(a.dropped && b.dropped);
  EXPECT_EQ(b.ends, 1);
  first->finished(done(1));
  EXPECT_EQ(a.ends, 1);
  EXPECT_EQ(b.got, Tiles{});
  first->drained();
  second->drained();
  EXPECT_EQ(a.overs, std::vector{true});
  EXPECT_EQ(b.overs, std::vector{true});
  EXPECT_EQ(window.unfinished(), 0u);
}

TEST(TileWindow, WhatIsGivenBackAfterAStopIsLeft) {
  Listener listener;
  TileWindow window(2);
  const auto run = window.join({1, 2});
  run->start(listener);
  run->request(2);
  run->stop();
  for (const std::int64_t tile : {1, 2}) run->returned({tile, 0});
  EXPECT_EQ(listener.ends, 1);
  run->drained();
  EXPECT_EQ(listener.overs, std::vector{true});
  EXPECT_EQ(window.unfinished(), 0u);
}

TEST(TileWindow, AStoppedRunFinishesTilesThatWereBegun) {
  Listener listener;
  TileWindow window(1);
  const auto run = window.join({1, 2}, workflow::AbstractWorkflow({{"a", {}, {"x"}}, {"b", {"x"}}}));
  run->start(listener);
  run->request(1);
  window.stop();
  EXPECT_EQ(listener.ends, 0);
  run->request(1);
  run->finished({1, false, false, 0, "", 0, false});
  EXPECT_EQ(listener.got, (Tiles{1, 1}));
  run->finished({1, false, false, 0, "", 1, true});
  EXPECT_EQ(listener.ends, 1);
}

}  // namespace
}  // namespace starpath
