// The Manager-Worker protocol over a network that reorders and delays messages at will.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>

#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/worker.hpp"
#include "tests/mpi/protocol/take.hpp"
#include "tests/mpi/protocol/tiles.hpp"

namespace starpath::mpi {
namespace {

/// A rank as the pipeline sees it: asks for what its window has room for, computes, finishes, says Bye.
struct SimulatedRank {
  Worker worker;
  int window = 1;
  std::int64_t asked = 0;
  std::vector<Handout> waiting, computing;  // not begun; begun
  std::set<StageInstance> kept;             // data of stages, until they are to be forgotten
  bool welcome = false, no_more = false, drop = false, left = false;
  std::vector<int> cannot;  // stages
  std::int64_t most_held = 0;

  std::int64_t held() const { return static_cast<std::int64_t>(waiting.size() + computing.size()); }
};

/// Two stages and one that needs both.
const workflow::AbstractWorkflow kThree({{"a", {}, {"a"}}, {"b", {"a"}, {"b"}}, {"c", {"a", "b"}}});

/// Two stages that need no data, one that needs those of both.
const workflow::AbstractWorkflow kJoin({{"a", {}, {"a"}}, {"b", {}, {"b"}}, {"c", {"a", "b"}}});

/// Every message in flight may be the next one to arrive; every rank that computes may be the next one to finish.
class Job {
 public:
  Job(int ranks, std::vector<std::int64_t> tiles, std::uint64_t seed,
      const workflow::AbstractWorkflow& workflow = workflow::single_stage("tile"))
      : workflow_(workflow),
        manager_(ranks, kOurs, tiles, 0, workflow),
        ranks_(static_cast<std::size_t>(ranks)),
        random_(seed) {
    for (SimulatedRank& rank : ranks_) rank.window = below(5) + 1;
  }

  void start(int rank, const Agreement& agreement = kOurs) { to_manager_.emplace_back(rank, Hello{agreement}); }
  void start_all() {
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) start(rank);
  }
  void interrupt(int rank) { to_manager_.emplace_back(rank, Interrupted{}); }
  void fail(int rank) {
    SimulatedRank& failing = ranks_[static_cast<std::size_t>(rank)];
    if (failing.left) return;
    failing.left = true;
    failing.kept.clear();
    to_manager_.emplace_back(rank, failing.worker.failed(4, "disk full"));
  }
  /// The rank has no worker for these stages.
  void cannot_run(int rank, std::vector<int> stages) { at(rank).cannot = std::move(stages); }
  /// From now on one time in five data are gone that a rank keeps.
  void lose_data() { lose_data_ = true; }

  /// False when nothing is left that could happen.
  bool step() {
    std::vector<int> busy;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank)
      if (!at(rank).left && at(rank).held() > 0) busy.push_back(rank);
    const auto choices = static_cast<int>(to_manager_.size() + to_worker_.size() + busy.size());
    if (choices == 0) return false;
    auto choice = static_cast<std::size_t>(below(choices));
    if (choice < to_manager_.size()) {
      const auto [rank, message] = take(to_manager_, choice);
      send(manager_.receive(rank, message));
    } else if ((choice -= to_manager_.size()) < to_worker_.size()) {
      const auto [rank, message] = take(to_worker_, choice);
      deliver(rank, message);
    } else {
      work(busy[choice - to_worker_.size()]);
    }
    return true;
  }
  void run() {
    while (step()) {
    }
  }

  Manager& manager() { return manager_; }
  SimulatedRank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  /// Tiles, by who finished them.
  const std::map<std::int64_t, int>& finished() const { return finished_; }
  /// How often a stage needed data of another rank.
  std::int64_t fetched() const { return fetched_; }
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  void send(const Manager::Sends& sends) {
    for (const auto& [rank, message] : sends) {
      if (const auto* assign = std::get_if<Assign>(&message)) {
        EXPECT_TRUE(manager_.expects(rank));
        for (const Handout& handout : assign->instances)
          EXPECT_TRUE(assigned_.emplace(handout.instance, rank).second || may_come_again_) << "assigned twice";
      }
      to_worker_.emplace_back(rank, message);
    }
  }
  /// Ranks fail or lose data: what they had is assigned again.
  void let_instances_come_again() { may_come_again_ = true; }

 private:
  void deliver(int number, const ToWorker& message) {
    SimulatedRank& rank = at(number);
    if (rank.left) return;
    const WorkerStep step = rank.worker.receive(message);
    if (step.refused) {
      rank.left = true;
      return;
    }
    EXPECT_FALSE(rank.no_more && !step.instances.empty()) << "instances after the last";
    rank.welcome |= step.welcome;
    rank.no_more |= step.no_more;
    rank.drop |= step.drop;
    rank.asked -= static_cast<std::int64_t>(step.instances.size());
    for (const Handout& given : step.instances)
      EXPECT_EQ(std::ranges::count(rank.cannot, given.instance.stage), 0) << "it cannot run that";
    rank.waiting.insert(rank.waiting.end(), step.instances.begin(), step.instances.end());
    for (const std::int64_t tile : step.forget)
      std::erase_if(rank.kept, [&](const StageInstance& data) { return data.tile == tile; });
    go_on(number);
  }

  /// Begins an instance or finishes one that was begun.
  void work(int number) {
    SimulatedRank& rank = at(number);
    if (rank.computing.empty() || (!rank.waiting.empty() && below(2) == 0)) {
      const Handout begun = rank.waiting.front();
      rank.waiting.erase(rank.waiting.begin());
      return begin(number, begun);
    }
    const auto place = rank.computing.begin() + below(static_cast<int>(rank.computing.size()));
    const StageInstance instance = place->instance;
    rank.computing.erase(place);
    const bool over = workflow_.after(instance.stage).empty();
    EXPECT_TRUE(!over || finished_.emplace(instance.tile, number).second) << "finished twice";
    rank.kept.insert(instance);
    if (over) std::erase_if(rank.kept, [&](const StageInstance& data) { return data.tile == instance.tile; });
    to_manager_.emplace_back(number, rank.worker.finished({instance.tile, false, false, 1, "", instance.stage, over}));
    go_on(number);
  }

  /// What it needs of others must be there, or is told to have vanished.
  void begin(int number, const Handout& handout) {
    SimulatedRank& rank = at(number);
    std::vector<int> vanished;
    for (const auto& [stage, keeper] : handout.elsewhere) {
      if (lose_data_ && below(5) == 0) at(keeper).kept.erase({handout.instance.tile, stage});
      const bool here = at(keeper).kept.contains({handout.instance.tile, stage});
      EXPECT_TRUE(here || may_come_again_) << "it was forgotten too early";
      if (!here) vanished.push_back(stage);
      ++fetched_;
    }
    for (const int before : workflow_.before(handout.instance.stage)) {
      const bool elsewhere =
          std::ranges::any_of(handout.elsewhere, [&](const auto& input) { return input.stage == before; });
      EXPECT_TRUE(elsewhere || rank.kept.contains({handout.instance.tile, before})) << "nobody told where it is";
    }
    if (vanished.empty())
      rank.computing.push_back(handout);
    else
      to_manager_.emplace_back(number, rank.worker.returned(handout.instance, vanished));
    go_on(number);
  }

  void go_on(int number) {
    SimulatedRank& rank = at(number);
    if (rank.drop)
      std::erase_if(rank.waiting, [&](const Handout& handout) {
        if (handout.begins) to_manager_.emplace_back(number, rank.worker.returned(handout.instance, {}));
        return handout.begins;
      });
    rank.most_held = std::max(rank.most_held, rank.held());
    EXPECT_LE(rank.held() + rank.asked, std::max<std::int64_t>(rank.window, rank.held()));
    const std::int64_t room = rank.window - rank.held() - rank.asked;
    if (rank.welcome && !rank.no_more && room > 0) {
      rank.asked += room;
      to_manager_.emplace_back(number, rank.worker.request(room, rank.cannot));
    }
    if (rank.no_more && rank.held() == 0) {
      rank.left = true;
      rank.kept.clear();
      to_manager_.emplace_back(number, rank.worker.bye("books of " + std::to_string(number)));
    }
  }

  const workflow::AbstractWorkflow workflow_;
  Manager manager_;
  std::vector<SimulatedRank> ranks_;
  std::mt19937_64 random_;
  std::deque<std::pair<int, ToManager>> to_manager_;
  std::deque<std::pair<int, ToWorker>> to_worker_;
  std::map<StageInstance, int> assigned_;
  std::map<std::int64_t, int> finished_;
  std::int64_t fetched_ = 0;
  bool lose_data_ = false, may_come_again_ = false;
};

/// `check` gets a generator of random numbers of its own for each of 300 seeds.
template <class Check>
void for_every_seed(Check check) {
  for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    check(random);
  }
}

TEST(AnyOrder, EveryTileIsFinishedOnceWithinTheWindows) {
  for_every_seed([](std::mt19937_64& random) {
    const int ranks = std::uniform_int_distribution(1, 9)(random), tiles = std::uniform_int_distribution(0, 60)(random);
    Job job(ranks, numbered(tiles), random());
    job.start_all();
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 0);
    EXPECT_EQ(job.finished().size(), static_cast<std::size_t>(tiles));
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_LE(job.at(rank).most_held, job.at(rank).window);
      EXPECT_EQ(job.manager().books(rank), "books of " + std::to_string(rank));
    }
  });
}

TEST(AnyOrder, EveryStageIsDoneWhereItsDataAreOrWithDataOfOthers) {
  std::int64_t elsewhere = 0;
  for_every_seed([&](std::mt19937_64& random) {
    const int ranks = std::uniform_int_distribution(1, 6)(random), tiles = std::uniform_int_distribution(0, 30)(random);
    Job job(ranks, numbered(tiles), random(), kThree);
    job.start_all();
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.finished().size(), static_cast<std::size_t>(tiles));
    for (int rank = 0; rank < ranks; ++rank) EXPECT_LE(job.at(rank).most_held, job.at(rank).window);
    elsewhere += job.fetched();
  });
  EXPECT_GT(elsewhere, 0) << "some stages move to another rank";
}

TEST(AnyOrder, StagesThatNeedNoDataHoldUpNobody) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(std::uniform_int_distribution(1, 6)(random), numbered(30), random(), kJoin);
    job.start_all();
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.finished().size(), 30u);
  });
}

TEST(AnyOrder, StagesThatOnlySomeRanksCanRunAreDoneByThose) {
  for (const auto* workflow : {&kThree, &kJoin})
    for_every_seed([&](std::mt19937_64& random) {
      const int ranks = std::uniform_int_distribution(2, 5)(random);
      Job job(ranks, numbered(std::uniform_int_distribution(1, 12)(random)), random(), *workflow);
      for (int rank = 1; rank < ranks; ++rank) {
        std::vector<int> cannot;
        for (int stage = 0; stage < 3; ++stage)
          if (random() % 2 == 0) cannot.push_back(stage);
        job.cannot_run(rank, cannot);
      }
      job.cannot_run(0, {static_cast<int>(random() % 3)});
      job.let_instances_come_again();  // those that were given back
      job.start_all();
      job.run();
      EXPECT_TRUE(job.manager().over());
      EXPECT_EQ(job.manager().left() > 0, job.manager().failure().has_value());
      if (!job.manager().failure()) return;
      EXPECT_EQ(job.manager().failure()->kind, 7);
    });
}

TEST(AnyOrder, WhenTheOnlyRankForAStageFailsTheJobEnds) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(3, numbered(20), random(), kThree);
    job.let_instances_come_again();
    job.cannot_run(0, {2});
    job.cannot_run(2, {2});
    job.start_all();
    for (int steps = std::uniform_int_distribution(0, 200)(random); steps > 0; --steps) job.step();
    job.fail(1);
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 20 - static_cast<std::int64_t>(job.finished().size()));
  });
}

TEST(AnyOrder, DataThatVanishAreComputedAgain) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(std::uniform_int_distribution(2, 6)(random), numbered(20), random(), kThree);
    job.let_instances_come_again();
    job.lose_data();
    job.start_all();
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 0);
    EXPECT_EQ(job.finished().size(), 20u);
  });
}

TEST(AnyOrder, InterruptedBetweenStagesTilesThatWereBegunAreFinished) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(std::uniform_int_distribution(1, 6)(random), numbered(20), random(), kThree);
    job.let_instances_come_again();  // those that were given back
    job.start_all();
    for (int steps = std::uniform_int_distribution(0, 200)(random); steps > 0; --steps) job.step();
    job.interrupt(0);
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 20 - static_cast<std::int64_t>(job.finished().size()));
  });
}

TEST(AnyOrder, ARankThatFailsBetweenStagesCostsNothingThatWasFinished) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(std::uniform_int_distribution(2, 6)(random), numbered(40), random(), kThree);
    job.let_instances_come_again();
    job.start_all();
    for (int steps = std::uniform_int_distribution(0, 300)(random); steps > 0; --steps) job.step();
    job.fail(1);
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 40 - static_cast<std::int64_t>(job.finished().size()));
  });
}

TEST(AnyOrder, AfterAnInterruptionWhatWasBegunIsFinishedAndTheRestLeft) {
  for_every_seed([](std::mt19937_64& random) {
    const int ranks = std::uniform_int_distribution(1, 6)(random);
    Job job(ranks, numbered(40), random());
    job.start_all();
    for (int steps = std::uniform_int_distribution(0, 200)(random); steps > 0; --steps) job.step();
    if (random() % 2 == 0)
      job.interrupt(0);
    else
      job.send(job.manager().stop());
    job.run();
    EXPECT_TRUE(job.manager().over());
    EXPECT_EQ(job.manager().left(), 40 - static_cast<std::int64_t>(job.finished().size()));
    EXPECT_FALSE(job.manager().failure());
  });
}

TEST(AnyOrder, AFailingRankEndsTheJobAndCostsNothingThatOthersFinished) {
  for_every_seed([](std::mt19937_64& random) {
    const int ranks = std::uniform_int_distribution(2, 6)(random);
    Job job(ranks, numbered(200), random());
    job.start_all();
    for (int steps = std::uniform_int_distribution(0, 200)(random); steps > 0; --steps) job.step();
    job.fail(1);
    job.run();
    EXPECT_TRUE(job.manager().over());
    ASSERT_TRUE(job.manager().failure());
    EXPECT_EQ(job.manager().failure()->rank, 1);
    EXPECT_EQ(job.manager().failure()->kind, 4);
    EXPECT_EQ(job.manager().failure()->reason, "disk full");
    EXPECT_EQ(job.manager().left(), 200 - static_cast<std::int64_t>(job.finished().size()));
  });
}

TEST(AnyOrder, ARankOfAnotherVersionIsRefusedAndEndsTheJob) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(3, numbered(20), random());
    job.start(0);
    job.start(1, {"0.2.0", kOurs.slide, kOurs.parameters});
    job.start(2);
    job.run();
    EXPECT_TRUE(job.manager().over());
    ASSERT_TRUE(job.manager().failure());
    EXPECT_EQ(job.manager().failure()->rank, 1);
    EXPECT_NE(job.manager().failure()->reason.find("0.2.0"), std::string::npos);
    EXPECT_EQ(job.manager().finished(1), 0);
  });
}

TEST(AnyOrder, ARankThatStartsLateOrIsSlowHoldsUpNobodyElse) {
  for_every_seed([](std::mt19937_64& random) {
    Job job(3, numbered(30), random());
    job.start(0);
    job.start(1);
    job.run();
    EXPECT_EQ(job.finished().size(), 30u) << "without rank 2";
    EXPECT_FALSE(job.manager().over()) << "it may still come";
    EXPECT_TRUE(job.manager().expects(2));
    job.start(2);
    job.run();
    EXPECT_TRUE(job.manager().over());
  });
}

}  // namespace
}  // namespace starpath::mpi
