// What a run asks of its source of tiles, and when it says that it is done.
#include "pipelines/run/tile_intake.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "pipelines/run/tile_list.hpp"

namespace starpath {
namespace {

/// A source elsewhere: does nothing but note what it is asked.
struct Elsewhere : TileSource {
  void start(TileSink& given) override { sink = &given; }
  void cannot_run(const std::vector<int>&) override {}
  void request(std::size_t instances) override { requested.push_back(instances); }
  void finished(const TileDone&) override {}
  void returned(const StageInstance& instance) override { back.push_back(instance.tile); }
  void send(const StageInstance&, int, std::optional<std::string>) override {}
  void stop() override { ++stops; }
  void drained() override { ++drains; }
  void leave() override { sink = nullptr; }

  TileSink* sink = nullptr;
  std::vector<std::size_t> requested;
  std::vector<std::int64_t> back;
  int stops = 0, drains = 0;
};

/// First stages of tiles that nobody has begun.
std::vector<GivenInstance> tiles(const std::vector<std::int64_t>& numbers) {
  std::vector<GivenInstance> instances;
  for (const std::int64_t number : numbers) instances.push_back({{number, 0}});
  return instances;
}

class TileIntakeTest : public testing::Test {
 protected:
  void handle_all() {
    for (; !told_.empty(); told_.pop_front()) intake_.handle(told_.front());
  }

  Elsewhere source_;
  std::deque<SourceEvent> told_;
  TileIntake intake_{source_, 3, [this](SourceEvent event) { told_.push_back(std::move(event)); }};
};

TEST_F(TileIntakeTest, AsksForWhatFitsIntoTheWindow) {
  intake_.ask(0);
  intake_.ask(0);  // three are on their way
  source_.sink->give(tiles({7, 8}));
  handle_all();
  EXPECT_EQ(intake_.next().instance.tile, 7);
  intake_.ask(1);  // one in flight, one waits, one is on its way
  intake_.ask(0);  // one has ended
  EXPECT_EQ(source_.requested, (std::vector<std::size_t>{3, 1}));
}

TEST_F(TileIntakeTest, IsDrainedOnceWhenNothingWillCome) {
  intake_.ask(0);
  source_.sink->give(tiles({1}));
  intake_.idle();  // more may come
  source_.sink->no_more();
  handle_all();
  intake_.idle();  // one still waits
  EXPECT_EQ(source_.drains, 0);
  EXPECT_EQ(intake_.next().instance.tile, 1);
  for (int again = 0; again < 2; ++again) intake_.idle();
  EXPECT_EQ(source_.drains, 1);
  intake_.ask(0);
  EXPECT_EQ(source_.requested.size(), 1U);
  EXPECT_FALSE(intake_.over());
  source_.sink->over(false);
  handle_all();
  ASSERT_TRUE(intake_.over());
  EXPECT_FALSE(intake_.over()->interrupted);
}

TEST_F(TileIntakeTest, StoppedItGivesBackTilesThatWaitAndThatComeLater) {
  intake_.ask(0);
  source_.sink->give(tiles({1, 2}));
  handle_all();
  EXPECT_EQ(intake_.next().instance.tile, 1);
  for (int again = 0; again < 2; ++again) intake_.stop();
  EXPECT_EQ(source_.stops, 1);
  EXPECT_FALSE(intake_.has_next());
  source_.sink->give(tiles({3}));  // was on its way
  handle_all();
  EXPECT_FALSE(intake_.has_next());
  EXPECT_EQ(source_.back, (std::vector<std::int64_t>{2, 3}));
}

TEST_F(TileIntakeTest, StoppedItFinishesTilesThatWereBegun) {
  intake_.ask(0);
  source_.sink->give({{{1, 0}}, {{2, 1}, false}, {{3, 0}}});
  source_.sink->drop();
  handle_all();
  EXPECT_EQ(source_.back, (std::vector<std::int64_t>{1, 3}));
  ASSERT_TRUE(intake_.has_next());
  EXPECT_EQ(intake_.next().instance, (StageInstance{2, 1}));
  intake_.ask(1);
  EXPECT_EQ(source_.requested, (std::vector<std::size_t>{3, 2})) << "tiles that were begun may need more stages";
}

TEST(TileIntake, TakesTheTilesOfARunThatIsAloneInTheirOrder) {
  std::vector<std::int64_t> tiles(10), taken;
  std::iota(tiles.begin(), tiles.end(), 40);
  TileList source(tiles);
  std::deque<SourceEvent> told;
  TileIntake intake(source, 4, [&](SourceEvent event) { told.push_back(std::move(event)); });
  while (!intake.over()) {
    while (intake.has_next()) {
      taken.push_back(intake.next().instance.tile);
      intake.finished({taken.back(), false, false, 0, ""});
    }
    intake.ask(0);
    intake.idle();
    ASSERT_FALSE(told.empty()) << "it would wait forever";
    intake.handle(told.front());
    told.pop_front();
  }
  EXPECT_EQ(taken, tiles);
  EXPECT_FALSE(intake.over()->interrupted);
}

TEST(TileIntake, NoMoreTilesThanItsWindowAreHalfWayWhenStagesNeedNoData) {
  std::vector<std::int64_t> tiles(50);
  std::iota(tiles.begin(), tiles.end(), 0);
  TileList source(tiles, workflow::AbstractWorkflow({{"a", {}, {"x"}}, {"b", {}, {"y"}}, {"c", {"x", "y"}}}));
  std::deque<SourceEvent> told;
  TileIntake intake(source, 4, [&](SourceEvent event) { told.push_back(std::move(event)); });
  std::set<std::int64_t> half_way;
  std::size_t most = 0;
  while (!intake.over()) {
    while (intake.has_next()) {
      const auto [tile, stage] = intake.next().instance;
      half_way.insert(tile);
      most = std::max(most, half_way.size());
      if (stage == 2) half_way.erase(tile);
      intake.finished({tile, false, false, 0, "", stage, stage == 2});
    }
    intake.ask(0);
    intake.idle();
    ASSERT_FALSE(told.empty()) << "it would wait forever";
    intake.handle(told.front());
    told.pop_front();
  }
  EXPECT_LE(most, 4u);
  EXPECT_TRUE(half_way.empty());
}

TEST(TileIntake, TakesTheStagesOfATileOneAfterTheOther) {
  TileList source({5, 6}, workflow::AbstractWorkflow({{"a", {}, {"x"}}, {"b", {"x"}}}));
  std::deque<SourceEvent> told;
  TileIntake intake(source, 1, [&](SourceEvent event) { told.push_back(std::move(event)); });
  std::vector<StageInstance> taken;
  while (!intake.over()) {
    while (intake.has_next()) {
      taken.push_back(intake.next().instance);
      intake.finished({taken.back().tile, false, false, 0, "", taken.back().stage, taken.back().stage == 1});
    }
    intake.ask(0);
    intake.idle();
    ASSERT_FALSE(told.empty()) << "it would wait forever";
    intake.handle(told.front());
    told.pop_front();
  }
  EXPECT_EQ(taken, (std::vector<StageInstance>{{5, 0}, {5, 1}, {6, 0}, {6, 1}}));
}

}  // namespace
}  // namespace starpath
