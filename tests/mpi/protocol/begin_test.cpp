// Ranks that exchange buffers begin together or never, over a network that reorders and delays messages at will.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/stream_team.hpp"
#include "mpi/protocol/worker.hpp"
#include "tests/mpi/protocol/take.hpp"

namespace starpath::mpi {
namespace {

const Agreement kOurs{"0.1.0", "slide-1", "{}"};

std::string introduction(int rank) { return "rank " + std::to_string(rank); }

TEST(Begin, WaitsForTheLastRankAndTellsWhoTheOthersAre) {
  Manager manager(2, kOurs, {1, 2});
  for (const int rank : {0, 1}) manager.receive(rank, Hello{kOurs});
  EXPECT_TRUE(manager.receive(1, Ready{introduction(1)}).empty());
  const auto sends = manager.receive(0, Ready{introduction(0)});
  ASSERT_EQ(sends.size(), 2u);
  for (const auto& [rank, message] : sends)
    EXPECT_EQ(std::get<Begin>(message).introductions, (std::vector<std::string>{introduction(0), introduction(1)}));
}

TEST(Begin, AllBeginOrNone) {
  int begun = 0;
  constexpr int seeds = 300;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const int ranks = std::uniform_int_distribution(1, 6)(random);
    Manager manager(ranks, kOurs, {1, 2, 3});
    std::vector<Worker> workers(static_cast<std::size_t>(ranks));
    std::vector<int> begins(workers.size()), cancels(workers.size());
    std::deque<std::pair<int, ToManager>> to_manager;
    std::deque<std::pair<int, ToWorker>> to_worker;
    const auto send = [&](const Manager::Sends& sends) {
      to_worker.insert(to_worker.end(), sends.begin(), sends.end());
    };
    for (int rank = 0; rank < ranks; ++rank) to_manager.emplace_back(rank, Hello{kOurs});
    to_manager.emplace_back(static_cast<int>(random() % workers.size()), Interrupted{});
    while (!to_manager.empty() || !to_worker.empty()) {
      if (to_worker.empty() || (!to_manager.empty() && random() % 2 == 0)) {
        const auto [rank, message] = take(to_manager, random() % to_manager.size());
        send(manager.receive(rank, message));
        continue;
      }
      const auto [rank, message] = take(to_worker, random() % to_worker.size());
      const auto number = static_cast<std::size_t>(rank);
      const WorkerStep step = workers[number].receive(message);
      if (step.welcome) to_manager.emplace_back(rank, Ready{introduction(rank)});
      begins[number] += step.introductions.has_value();
      cancels[number] += step.cancelled;
    }
    for (std::size_t rank = 0; rank < workers.size(); ++rank) {
      EXPECT_EQ(begins[rank], begins[0]);
      EXPECT_EQ(begins[rank] + cancels[rank], 1) << "rank " << rank << " hears one of the two, once";
    }
    begun += begins[0];
  }
  EXPECT_GT(begun, 0);
  EXPECT_LT(begun, seeds);
}

TEST(Begin, NeverComesForARankThatIsRefusedBecauseAnotherDisagrees) {
  Manager manager(2, kOurs, {1, 2});
  manager.receive(1, Hello{{"0.0.1", kOurs.slide, kOurs.parameters}});
  const auto sends = manager.receive(0, Hello{kOurs});
  ASSERT_EQ(sends.size(), 1u);
  Worker worker;
  const WorkerStep step = worker.receive(sends[0].second);
  EXPECT_TRUE(step.refused.has_value());
  EXPECT_TRUE(step.cancelled);
}

TEST(Begin, TilesGoToThoseWhoTakeSome) {
  Manager manager(4, kOurs, {1, 2, 3, 4, 5, 6, 7, 8}, 1);
  for (int rank = 0; rank < 4; ++rank) manager.receive(rank, Hello{kOurs});
  EXPECT_EQ(std::get<Assign>(manager.receive(0, Request{6})[0].second).instances.size(), 6u);
}

TEST(StreamTeam, ClassesOfAllRanksInOneOrderCoresFirst) {
  const StreamTeam team(
      {{{"a GPU", true}, {"cpu", false}}, {{"cpu", false}}, {}, {{"big core", false}, {"a GPU", true}}});
  EXPECT_EQ(team.classes(), (std::vector<std::string>{"big core", "cpu", "a GPU"}));
  EXPECT_EQ(team.classes_of(0), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(team.classes_of(1), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(team.classes_of(2).empty());
  EXPECT_EQ(team.classes_of(3), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(team.workers(), 5u);
}

}  // namespace
}  // namespace starpath::mpi
