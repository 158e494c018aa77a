// What a run asks of its source of tiles, and when it says that it is done.
#include "pipelines/run/tile_intake.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "pipelines/run/tile_list.hpp"

namespace starpath {
namespace {

/// A source elsewhere: does nothing but note what it is asked.
struct Elsewhere : TileSource {
  void start(TileSink& given) override { sink = &given; }
  void request(std::size_t tiles) override { requested.push_back(tiles); }
  void finished(const TileDone& tile) override { done.push_back(tile.index); }
  void drained(std::size_t dropped) override { drops.push_back(dropped); }
  void leave() override { sink = nullptr; }

  TileSink* sink = nullptr;
  std::vector<std::size_t> requested, drops;
  std::vector<std::int64_t> done;
};

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
  source_.sink->give({7, 8});
  handle_all();
  EXPECT_EQ(intake_.next(), 7);
  intake_.ask(1);  // one in flight, one waits, one is on its way
  intake_.ask(0);  // one has ended
  EXPECT_EQ(source_.requested, (std::vector<std::size_t>{3, 1}));
}

TEST_F(TileIntakeTest, IsDrainedOnceWhenNothingWillCome) {
  intake_.ask(0);
  source_.sink->give({1});
  intake_.idle();  // more may come
  source_.sink->no_more(false);
  handle_all();
  intake_.idle();  // one still waits
  EXPECT_TRUE(source_.drops.empty());
  EXPECT_EQ(intake_.next(), 1);
  for (int again = 0; again < 2; ++again) intake_.idle();
  EXPECT_EQ(source_.drops, std::vector<std::size_t>{0});
  intake_.ask(0);
  EXPECT_EQ(source_.requested.size(), 1U);
  EXPECT_FALSE(intake_.over());
  source_.sink->over(false);
  handle_all();
  ASSERT_TRUE(intake_.over());
  EXPECT_FALSE(intake_.over()->interrupted);
}

TEST_F(TileIntakeTest, StoppedItLeavesWhatWaitsAndWhatComesLater) {
  intake_.ask(0);
  source_.sink->give({1, 2});
  handle_all();
  EXPECT_EQ(intake_.next(), 1);
  intake_.stop();
  EXPECT_FALSE(intake_.has_next());
  source_.sink->give({3});  // was on its way
  handle_all();
  EXPECT_FALSE(intake_.has_next());
  intake_.idle();
  EXPECT_EQ(source_.drops, std::vector<std::size_t>{2});
}

TEST_F(TileIntakeTest, AManagerMayHaveItDropWhatWaits) {
  intake_.ask(0);
  source_.sink->give({1, 2, 3});
  source_.sink->no_more(true);
  handle_all();
  EXPECT_FALSE(intake_.has_next());
  intake_.idle();
  EXPECT_EQ(source_.drops, std::vector<std::size_t>{3});
}

TEST(TileIntake, TakesTheTilesOfARunThatIsAloneInTheirOrder) {
  std::vector<std::int64_t> tiles(10), taken;
  std::iota(tiles.begin(), tiles.end(), 40);
  TileList source(tiles);
  std::deque<SourceEvent> told;
  TileIntake intake(source, 4, [&](SourceEvent event) { told.push_back(std::move(event)); });
  while (!intake.over()) {
    while (intake.has_next()) taken.push_back(intake.next());
    intake.ask(0);
    intake.idle();
    ASSERT_FALSE(told.empty()) << "it would wait forever";
    intake.handle(told.front());
    told.pop_front();
  }
  EXPECT_EQ(taken, tiles);
  EXPECT_FALSE(intake.over()->interrupted);
}

}  // namespace
}  // namespace starpath
