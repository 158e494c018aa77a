// The rules of the manager and of the worker, message by message.
#include "mpi/protocol/manager.hpp"

#include <gtest/gtest.h>

#include "mpi/protocol/worker.hpp"
#include "tests/mpi/protocol/tiles.hpp"

namespace starpath::mpi {
namespace {

std::vector<std::int64_t> tiles_of(const ToWorker& message) {
  std::vector<std::int64_t> tiles;
  for (const Handout& handout : std::get<Assign>(message).instances) tiles.push_back(handout.instance.tile);
  return tiles;
}

TEST(Manager, SaysWhatRanksDisagreeIn) {
  const auto reason = [](const Agreement& agreement) -> std::string {
    Manager manager(2, kOurs, {1, 2});
    const auto sends = manager.receive(1, Hello{agreement});
    const auto* refused = std::get_if<Refused>(&sends.front().second);
    return refused == nullptr ? "" : refused->reason;
  };
  EXPECT_EQ(reason(kOurs), "");
  EXPECT_NE(reason({"9", kOurs.slide, kOurs.parameters}).find("runs starpath 9"), std::string::npos);
  EXPECT_NE(reason({kOurs.version, "slide-2", kOurs.parameters}).find("another slide"), std::string::npos);
  const auto options = [&](const std::string& theirs, const std::string& ours) {
    Manager manager(2, {kOurs.version, kOurs.slide, ours}, {1, 2});
    const auto sends = manager.receive(1, Hello{{kOurs.version, kOurs.slide, theirs}});
    return std::get<Refused>(sends.front().second).reason;
  };
  const std::string begin = "it was given other options (", end = "): start every rank with the same";
  EXPECT_EQ(options(R"({"mpp":0.5,"tile":256,"work":1})", R"({"mpp":0.5,"tile":2048,"work":1})"),
            begin + "tile 256, rank 0 has 2048" + end);
  EXPECT_EQ(options("{}", R"({"mpp":5})"), begin + "mpp none, rank 0 has 5" + end);
  EXPECT_EQ(options(R"({"mpp":5,"tile":1})", R"({"mpp":5})"), begin + "tile 1, rank 0 has none" + end);
  EXPECT_EQ(options(R"({"all":{"roi":[0,0,1,2]}})", R"({"all":{"roi":[0,0,1,3]}})"),
            begin + "all/roi/3 2, rank 0 has 3" + end);
  const std::string same(200, 's');
  EXPECT_EQ(
      options(R"({"plan":")" + same + R"( a, b"})", R"({"plan":")" + same + R"( c, b"})"),
      begin + "plan ..." + std::string(29, 's') + " a, b\", rank 0 has ..." + std::string(29, 's') + " c, b\"" + end);
}

TEST(Manager, TilesGoOutInTheirOrderToWhoAsks) {
  Manager manager(2, kOurs, numbered(100));
  manager.receive(0, Hello{kOurs});
  manager.receive(1, Hello{kOurs});
  const auto first = manager.receive(1, Request{2});
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].first, 1);
  EXPECT_EQ(tiles_of(first[0].second), (std::vector<std::int64_t>{10, 13}));
  EXPECT_EQ(tiles_of(manager.receive(0, Request{1})[0].second), std::vector<std::int64_t>{16});
}

/// How many tiles these sends assign to a rank.
std::size_t tiles_for(int rank, const Manager::Sends& sends) {
  std::size_t tiles = 0;
  for (const auto& [to, message] : sends)
    if (const auto* assign = std::get_if<Assign>(&message); assign != nullptr && to == rank)
      tiles += assign->instances.size();
  return tiles;
}

TEST(Manager, AlikeRanksShareFewTilesAlike) {
  Manager manager(4, kOurs, numbered(8));
  for (int rank = 0; rank < 4; ++rank) manager.receive(rank, Hello{kOurs});
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(tiles_for(rank, manager.receive(rank, Request{100})), 2u);
}

TEST(Manager, ARankWithALargerWindowGetsALargerShare) {
  Manager manager(2, kOurs, numbered(8));
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  EXPECT_EQ(tiles_for(0, manager.receive(0, Request{12})), 4u) << "the other is taken for alike until it asks";
  EXPECT_EQ(tiles_for(1, manager.receive(1, Request{4})), 2u) << "8 tiles x 4 of 16";
  EXPECT_EQ(tiles_for(0, manager.receive(0, Finished{10, false, false, 0, ""})), 2u)
      << "7 tiles x 13 of 17: it holds 3";
}

TEST(Manager, TowardsTheEndASlowRankLeavesTilesToAFastOne) {
  Manager manager(2, kOurs, numbered(61));
  const auto finish = [&](int rank, int tile) {
    return tiles_for(rank, manager.receive(rank, Finished{10 + 3 * tile, false, false, 0, ""})) +
           tiles_for(rank, manager.receive(rank, Request{1}));
  };
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(tiles_for(rank, manager.receive(rank, Request{20})), 20u);
  for (int tile = 0; tile < 20; ++tile) EXPECT_EQ(finish(0, tile), 1u);
  EXPECT_EQ(finish(1, 20), 0u) << "40 tiles x 21 of 61, it holds 19";
  EXPECT_EQ(finish(0, 40), 1u) << "39 tiles x 41 of 62, it holds 19";
}

TEST(Manager, FewerTilesThanRanks) {
  Manager manager(4, kOurs, numbered(2));
  for (int rank = 0; rank < 4; ++rank) manager.receive(rank, Hello{kOurs});
  EXPECT_EQ(std::get<Assign>(manager.receive(3, Request{5})[0].second).instances.size(), 1u);
  const auto sends = manager.receive(1, Request{5});
  EXPECT_EQ(std::get<Assign>(sends[0].second).instances.size(), 1u);
  EXPECT_EQ(sends.size(), 5u) << "and everybody hears of the end";
}

const workflow::AbstractWorkflow kTwo({{"segmentation", {}, {"labels"}}, {"features", {"labels"}}});

/// What these sends assign to a rank.
std::vector<Handout> handouts_for(int rank, const Manager::Sends& sends) {
  std::vector<Handout> handouts;
  for (const auto& [to, message] : sends)
    if (const auto* assign = std::get_if<Assign>(&message); assign != nullptr && to == rank)
      handouts.insert(handouts.end(), assign->instances.begin(), assign->instances.end());
  return handouts;
}

TEST(Manager, TheNextStageGoesToTheRankThatKeepsTheData) {
  Manager manager(2, kOurs, numbered(20), 0, kTwo);
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Request{1});
  manager.receive(0, Request{1});  // has room, before the other asks
  EXPECT_TRUE(handouts_for(0, manager.receive(1, Finished{13, false, false, 0, "", 0, false})).empty());
  const auto next = handouts_for(1, manager.receive(1, Request{1}));
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].instance, (StageInstance{13, 1}));
  EXPECT_TRUE(next[0].elsewhere.empty());
}

TEST(Manager, ARankWithMoreThanItsShareLeavesStagesToAnother) {
  Manager manager(2, kOurs, numbered(4), 0, kTwo);
  manager.receive(0, Hello{kOurs});
  EXPECT_EQ(handouts_for(0, manager.receive(0, Request{2})).size(), 2u);
  for (const std::int64_t tile : {10, 13}) manager.receive(0, Finished{tile, false, false, 0, "", 0, false});
  manager.receive(1, Hello{kOurs});
  const auto begun = handouts_for(1, manager.receive(1, Request{8}));
  ASSERT_EQ(begun.size(), 3u);
  EXPECT_EQ(begun[0].instance, (StageInstance{16, 0}));
  EXPECT_EQ(begun[2].instance, (StageInstance{10, 1})) << "rank 0 keeps two tiles, and its share is 1, 4 x 2 of 10";
  EXPECT_EQ(begun[2].elsewhere, (std::vector<workflow::InputElsewhere>{{0, 0}}));
  const auto after = manager.receive(1, Finished{10, false, false, 0, "", 1, true});
  ASSERT_FALSE(after.empty());
  EXPECT_EQ(after[0].first, 0);
  EXPECT_EQ(std::get<Forget>(after[0].second).tiles, std::vector<std::int64_t>{10});
}

TEST(Manager, WhoMayWantDataOfARankThatFailsIsTold) {
  Manager manager(3, kOurs, numbered(4), 0, kTwo);
  for (int rank = 0; rank < 3; ++rank) manager.receive(rank, Hello{kOurs});
  std::vector<int> told;
  for (const auto& [to, message] : manager.receive(1, Failed{4, "disk full", 0}))
    if (const auto* lost = std::get_if<Lost>(&message); lost != nullptr && lost->rank == 1) told.push_back(to);
  EXPECT_EQ(told, (std::vector<int>{0, 2}));
}

TEST(Manager, AStageThatNoRankCanRunEndsTheJob) {
  Manager manager(2, kOurs, numbered(4), 0, kTwo);
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  manager.receive(0, Request{1, {1}});
  EXPECT_FALSE(manager.failure()) << "rank 1 may be able to";
  manager.receive(1, Request{1, {1}});
  ASSERT_TRUE(manager.failure());
  EXPECT_EQ(manager.failure()->kind, 7);
  EXPECT_NE(manager.failure()->reason.find("can run the stage 'features'"), std::string::npos);
}

TEST(Manager, PartsThatNoRankCanRunAreNamedWithTheStageThatJoinsThem) {
  Manager manager(2, kOurs, numbered(4), 0,
                  workflow::AbstractWorkflow({{"find.1", {}, {"a"}}, {"find.2", {}, {"b"}}, {"measure", {"a", "b"}}}));
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Request{1, {0, 1}});
  ASSERT_TRUE(manager.failure());
  EXPECT_EQ(
      manager.failure()->reason,
      "no worker of any rank can run the stages 'find.1' and 'find.2', for which the stage 'measure' waits: start "
      "ranks that have what the operations need (see STARPU_NCPU, STARPU_NCUDA)");
}

TEST(Manager, AStageThatNoRankCanRunEndsTheJobThoughTilesWereBegun) {
  Manager manager(2, kOurs, numbered(4), 0, kTwo);
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  ASSERT_EQ(handouts_for(0, manager.receive(0, Request{1, {1}})).size(), 1u);
  int ends = 0;
  for (const auto& send : manager.receive(1, Request{1, {1}})) ends += std::holds_alternative<End>(send.second);
  EXPECT_EQ(ends, 2);
}

TEST(Manager, ARankThatIsRefusedLateIsNotWaitedForByAStage) {
  Manager manager(3, kOurs, numbered(4), 0, kTwo);
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  ASSERT_EQ(handouts_for(0, manager.receive(0, Request{1, {1}})).size(), 1u);
  manager.receive(1, Failed{4, "disk full", 0});
  int ends = 0;
  for (const auto& send : manager.receive(2, Hello{kOurs})) ends += std::holds_alternative<End>(send.second);
  EXPECT_EQ(ends, 1) << "of rank 0, which cannot run the features of the tile that it has begun";
}

TEST(Manager, ARankWithItsShareIsGivenWhatOnlyItCanRun) {
  const workflow::AbstractWorkflow chain({{"s0", {}, {"a"}}, {"s1", {"a"}, {"b"}}, {"s2", {"b"}}});
  Manager manager(2, kOurs, {1, 2}, 0, chain);
  for (int rank = 0; rank < 2; ++rank) manager.receive(rank, Hello{kOurs});
  EXPECT_EQ(handouts_for(0, manager.receive(0, Request{1, {1}})).size(), 1u);
  for (int room = 0; room < 2; ++room) EXPECT_EQ(handouts_for(1, manager.receive(1, Request{1, {0}})).size(), 0u);
  const auto next = handouts_for(1, manager.receive(0, Finished{1, false, false, 0, "", 0, false}));
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(handouts_for(0, manager.receive(0, Request{1})).size(), 1u);
  const auto second = handouts_for(1, manager.receive(0, Finished{2, false, false, 0, "", 0, false}));
  ASSERT_EQ(second.size(), 1u) << "it has one of two tiles, its share";
  EXPECT_EQ(second[0].instance, (StageInstance{2, 1}));
}

TEST(Worker, TheEndWaitsForTilesOnTheirWay) {
  Worker worker;
  EXPECT_FALSE(worker.receive(End{2}).no_more);
  EXPECT_FALSE(worker.receive(Assign{{{{7, 0}}}}).no_more);
  const WorkerStep last = worker.receive(Assign{{{{8, 0}}}});
  EXPECT_TRUE(last.no_more);
  ASSERT_EQ(last.instances.size(), 1u);
  EXPECT_EQ(last.instances[0].instance.tile, 8);
  EXPECT_FALSE(worker.receive(End{2}).no_more) << "told once";
}

}  // namespace
}  // namespace starpath::mpi
