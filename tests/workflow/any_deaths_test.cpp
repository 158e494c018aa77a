// Random workflows on random ranks that die and lose what they keep, against a plain book of who did and keeps what.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "workflow/concrete_workflow.hpp"

namespace starpath::workflow {
namespace {

/// Up to six stages; each reads some of those before it in a random order.
AbstractWorkflow random_workflow(std::mt19937_64& random) {
  std::vector<Stage> stages(1 + random() % 6);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].name = "stage " + std::to_string(i);
    stages[i].writes = {"data " + std::to_string(i)};
    for (std::size_t before = 0; before < i; ++before) {
      if (random() % 3 != 0) continue;
      if (random() % 2 == 0)
        stages[i].reads.push_back("data " + std::to_string(before));
      else
        stages[i].after.push_back("stage " + std::to_string(before));
    }
  }
  std::ranges::shuffle(stages, random);
  return AbstractWorkflow(stages);
}

/// Ranks that work, lose data, return what they have not begun, and die; and what an onlooker can know of them.
class Job {
 public:
  explicit Job(std::uint64_t seed)
      : random_(seed),
        abstract_(random_workflow(random_)),
        ranks_(1 + static_cast<int>(random_() % 5)),
        tiles_(random_() % 12),
        workflow_(abstract_, numbered(tiles_), ranks_) {
    for (int rank = 0; rank < ranks_; ++rank) living_.push_back(rank);
  }

  void step() {
    const int rank = living_[below(living_.size())];
    switch (below(12)) {
      case 0:
        if (!die_ || living_.size() == 1) return;
        return die(rank);
      case 1:
        if (stop_ && below(8) == 0) workflow_.stop();
        return;
      case 2:
        return give_back(rank);
      case 3:
      case 4:
      case 5:
      case 6:
        return take(rank);
      default:
        return work(rank);
    }
  }
  void check() {
    std::int64_t left = 0;
    for (const std::int64_t tile : numbered(tiles_))
      for (int stage = 0; stage < stages(); ++stage)
        if (abstract_.after(stage).empty() && !done_.contains({tile, stage}) && !over_.contains(tile)) {
          ++left;
          break;
        }
    EXPECT_GE(workflow_.left(), left) << "a tile with an unfinished last stage is not finished";
    for (const int rank : living_) {
      std::set<std::int64_t> hands;
      for (const auto& [instance, owner] : assigned_)
        if (owner == rank) hands.insert(instance.tile);
      EXPECT_GE(workflow_.in_hand(rank), static_cast<std::int64_t>(hands.size()));
    }
  }
  /// Ranks work on, and none of them dies any more.
  void finish() {
    die_ = false;
    for (int idle = 0; idle < 400 && (workflow_.left() > 0 || !assigned_.empty()); ++idle)
      for (const int rank : living_) {
        take(rank);
        while (!in_hand_of(rank).empty()) work(rank);
      }
  }
  void expect_all_done() {
    EXPECT_EQ(workflow_.left(), 0);
    EXPECT_TRUE(workflow_.exhausted());
    for (int rank = 0; rank < ranks_; ++rank) EXPECT_EQ(workflow_.in_hand(rank), 0) << "rank " << rank;
    for (const std::int64_t tile : numbered(tiles_))
      for (int stage = 0; stage < stages(); ++stage)
        EXPECT_TRUE(!abstract_.after(stage).empty() || done_.contains({tile, stage}) || over_.contains(tile));
    EXPECT_TRUE(kept_.empty()) << "what nobody needs is released";
  }
  void expect_stopped_well() {
    EXPECT_TRUE(workflow_.exhausted());
    EXPECT_TRUE(assigned_.empty());
    for (int rank = 0; rank < ranks_; ++rank) EXPECT_EQ(workflow_.in_hand(rank), 0) << "rank " << rank;
  }
  void stop() { workflow_.stop(); }
  void let_stop() { stop_ = true; }

 private:
  static std::vector<std::int64_t> numbered(std::size_t count) {
    std::vector<std::int64_t> tiles;
    for (std::size_t i = 0; i < count; ++i) tiles.push_back(static_cast<std::int64_t>(3 * i + 1));
    return tiles;
  }
  int stages() const { return static_cast<int>(abstract_.size()); }
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::vector<StageInstance> in_hand_of(int rank) const {
    std::vector<StageInstance> found;
    for (const auto& [instance, owner] : assigned_)
      if (owner == rank) found.push_back(instance);
    return found;
  }

  void take(int rank) {
    auto handout = workflow_.hand_out_kept(rank);
    if (!handout) handout = workflow_.hand_out_new(rank);
    if (!handout) handout = workflow_.hand_out_of(living_[below(living_.size())], rank);
    if (!handout) return;
    const StageInstance instance = handout->instance;
    EXPECT_TRUE(assigned_.emplace(instance, rank).second) << "it has a rank already";
    EXPECT_FALSE(over_.contains(instance.tile));
    EXPECT_FALSE(abstract_.after(instance.stage).empty() && done_.contains(instance)) << "it was final";
    std::set<int> elsewhere;
    for (const auto& [stage, keeper] : handout->elsewhere) {
      EXPECT_NE(keeper, rank);
      EXPECT_TRUE(kept_.contains({{instance.tile, stage}, keeper})) << "nobody keeps it there";
      elsewhere.insert(stage);
    }
    for (const int before : abstract_.before(instance.stage)) {
      EXPECT_TRUE(done_.contains({instance.tile, before}));
      EXPECT_TRUE(elsewhere.contains(before) || kept_.contains({{instance.tile, before}, rank}));
    }
    fetches_[instance] = handout->elsewhere;
  }

  /// Most are finished; some cannot get their data, or were lost by their keeper in the meantime.
  void work(int rank) {
    const auto mine = in_hand_of(rank);
    if (mine.empty()) return;
    const StageInstance instance = mine[below(mine.size())];
    assigned_.erase(instance);
    std::vector<int> gone;
    for (const auto& [stage, keeper] : fetches_[instance]) {
      if (die_ && below(6) == 0) forget(keeper, instance.tile, stage);
      if (!kept_.contains({{instance.tile, stage}, keeper})) gone.push_back(stage);
    }
    if (!gone.empty()) return release(workflow_.vanished(rank, instance, gone));
    done_.insert(instance);
    kept_.insert({instance, rank});
    const bool over = below(10) == 0;
    if (over) over_.insert(instance.tile);
    release(workflow_.finished(rank, instance, over));
    if (over || ran_all_that_follows(rank, instance.tile)) forget_tile(rank, instance.tile);
  }
  /// What a rank knows without being told.
  bool ran_all_that_follows(int rank, std::int64_t tile) const {
    for (int stage = 0; stage < stages(); ++stage) {
      if (!kept_.contains({{tile, stage}, rank})) continue;
      for (const int after : abstract_.after(stage))
        if (!kept_.contains({{tile, after}, rank})) return false;
    }
    return true;
  }
  void give_back(int rank) {
    const auto mine = in_hand_of(rank);
    if (mine.empty()) return;
    const StageInstance instance = mine[below(mine.size())];
    assigned_.erase(instance);
    release(workflow_.returned(rank, instance));
  }
  void die(int rank) {
    std::erase(living_, rank);
    std::erase_if(assigned_, [&](const auto& entry) { return entry.second == rank; });
    std::erase_if(kept_, [&](const auto& entry) { return entry.second == rank; });
    release(workflow_.lost(rank));
  }
  void release(const std::vector<Release>& releases) {
    for (const Release& each : releases) forget_tile(each.rank, each.tile);
  }
  void forget(int rank, std::int64_t tile, int stage) { kept_.erase({{tile, stage}, rank}); }
  void forget_tile(int rank, std::int64_t tile) {
    std::erase_if(kept_, [&](const auto& entry) { return entry.first.tile == tile && entry.second == rank; });
  }

  std::mt19937_64 random_;
  const AbstractWorkflow abstract_;
  const int ranks_;
  const std::size_t tiles_;
  ConcreteWorkflow workflow_;
  std::vector<int> living_;
  std::map<StageInstance, int> assigned_;
  std::map<StageInstance, std::vector<InputElsewhere>> fetches_;
  std::set<StageInstance> done_;
  std::set<std::pair<StageInstance, int>> kept_;
  std::set<std::int64_t> over_;
  bool die_ = true, stop_ = false;
};

constexpr std::uint64_t kSeeds = 2000;

TEST(AnyDeaths, EveryTileIsFinishedAfterWhatItNeeds) {
  for (std::uint64_t seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Job job(seed);
    for (int step = 0; step < 120; ++step) {
      job.step();
      job.check();
    }
    job.finish();
    job.expect_all_done();
  }
}

TEST(AnyDeaths, StoppedNothingHangs) {
  for (std::uint64_t seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Job job(seed);
    job.let_stop();
    for (int step = 0; step < 80; ++step) job.step();
    job.stop();
    job.finish();
    job.expect_stopped_well();
  }
}

}  // namespace
}  // namespace starpath::workflow
