// A concrete workflow: the stage instances of tiles, their states, and the order of hand-out. Pure.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "workflow/abstract_workflow.hpp"

namespace starpath::workflow {

/// One stage of one tile: the unit that is handed out.
struct StageInstance {
  std::int64_t tile;
  int stage = 0;
  friend auto operator<=>(const StageInstance&, const StageInstance&) = default;
};

/// Data that a stage of a tile wrote, on the rank that ran it.
struct InputElsewhere {
  int stage;
  int rank;
  friend bool operator==(const InputElsewhere&, const InputElsewhere&) = default;
};

struct Handout {
  StageInstance instance;
  bool begins = true;                          // no other instance of the tile was handed out and not given back
  std::vector<InputElsewhere> elsewhere = {};  // data that its rank has to fetch
};

/// A rank that need not keep the data of a tile any more, and cannot know it, because others ran the later stages.
struct Release {
  int rank;
  std::int64_t tile;
};

/// Every tile gets an instance of every stage of the workflow. An instance is ready once the stages before it are done
/// for its tile and their data are on some rank; it is then handed out to one rank. Ranks keep the data that they
/// compute until they are told to release them. The results of a stage that no other follows are final: nothing takes
/// them back.
///
/// Order of hand-out: later stages first, so that few tiles are half way, and tiles in the order given. All is
/// deterministic: the same calls give the same answers.
///
/// Invariants: an instance has one rank at a time; it is handed out after all it depends on; while it is unfinished,
/// each instance that it depends on is kept by a rank, or will be computed again.
///
/// A call about an instance that its rank does not have is ignored: it is late. A stage that the workflow does not have
/// throws Error{mismatch}: a rank that speaks of it has another workflow. Not thread-safe. Source:
/// hybrid-pipelines-2012, section III: concrete workflow, stage instances (tile, stage), demand-driven hand-out.
class ConcreteWorkflow {
 public:
  /// `tiles` are numbers of any kind, each once. Ranks are 0 to `ranks` - 1.
  ConcreteWorkflow(AbstractWorkflow workflow, const std::vector<std::int64_t>& tiles, int ranks = 1);

  const AbstractWorkflow& workflow() const { return workflow_; }

  /// The rank cannot run this stage: it is not given to it.
  void cannot_run(int rank, int stage);
  /// Stages that have no rank: no rank can run them, or the ranks that could are lost.
  std::vector<int> stages_nobody_runs() const;

  // --- hand-out: nothing when no such instance is ready ---

  /// An instance that needs data which this rank keeps, or needs none and is of a tile that this rank has in work.
  std::optional<Handout> hand_out_kept(int rank);
  /// An instance of a tile that no rank has in work: in general one that begins it.
  std::optional<Handout> hand_out_new(int rank);
  /// The `holder`s that may have one, ascending. Until the next call of another function.
  const std::set<int>& keepers() const { return keepers_; }
  /// An instance that needs data which `holder` keeps.
  std::optional<Handout> hand_out_of(int holder, int rank);
  /// The same, of a stage that `holder` cannot run.
  std::optional<Handout> hand_out_beyond(int holder, int rank);

  // --- the outcome of instances; ranks that need not keep data any more ---

  /// The instance is done, and the rank keeps its data. `over`: the rest of the tile is not needed (it is background,
  /// or was given up).
  std::vector<Release> finished(int rank, const StageInstance& instance, bool over = false);
  /// The rank has not begun it and will not.
  std::vector<Release> returned(int rank, const StageInstance& instance);
  /// The rank could not get the data that these stages wrote for it: they are computed again, and the instance waits
  /// for them.
  std::vector<Release> vanished(int rank, const StageInstance& instance, const std::vector<int>& inputs);
  /// The rank is gone, with all that it had and kept. The part of it that is still needed is computed again.
  std::vector<Release> lost(int rank);
  /// From now on no tile is begun. Those begun go on.
  void stop();
  /// From now on nothing is handed out, because the rest cannot be finished.
  void abandon() { abandoned_ = true; }

  // --- where it stands ---

  /// Nothing will be handed out any more, and no instance that was handed out waits for data of another rank.
  bool exhausted() const { return (abandoned_ || (stopped_ ? open_begun_ : open_) == 0) && fetching_ == 0; }
  /// Tiles that are not finished.
  std::int64_t left() const { return left_; }
  /// Tiles that the rank has an instance of in hand, or keeps data of for an instance that no rank has.
  std::int64_t in_hand(int rank) const { return ranks_[static_cast<std::size_t>(rank)].in_hand; }

 private:
  enum class State : unsigned char { waiting, ready, assigned, done, not_needed };
  struct Instance {
    State state = State::waiting;
    bool fetching = false;  // assigned, and needs data of another rank
    int rank = kNobody;     // ready: rank_for(); assigned: the rank that has it; done: the rank that keeps its data
  };
  using Ready = std::vector<std::set<std::size_t>>;  // for each stage, places of tiles
  struct Rank {
    std::int64_t ready_count = 0;  // in all of `ready`
    Ready ready;                   // instances that are for it
    std::vector<bool> cannot;
    std::int64_t in_hand = 0;
    bool lost = false;
  };
  static constexpr int kNobody = -1;

  class Change;
  Instance& at(std::size_t place, int stage) {
    return instances_[place * workflow_.size() + static_cast<std::size_t>(stage)];
  }
  const Instance& at(std::size_t place, int stage) const {
    return instances_[place * workflow_.size() + static_cast<std::size_t>(stage)];
  }
  int stages() const { return static_cast<int>(workflow_.size()); }
  Ready& ready_for(int rank) { return rank == kNobody ? new_ : ranks_[static_cast<std::size_t>(rank)].ready; }

  bool can_run(int rank, int stage) const {
    return !ranks_[static_cast<std::size_t>(rank)].cannot[static_cast<std::size_t>(stage)];
  }
  std::optional<Handout> hand_out(Ready& ready, int rank, int cannot = kNobody);
  Handout assign(std::size_t place, int stage, int rank);
  bool has(int rank, std::size_t place, int stage) const;
  bool has_all(std::size_t place, int stage) const;
  int keeper_of_most(std::size_t place, int stage) const;
  int rank_for(std::size_t place, int stage) const;
  void check(int stage) const;
  bool is_unfinished(std::size_t place, int stage) const;
  bool is_needed(std::size_t place, int stage) const;
  bool keeps_needed(std::size_t place, int rank) const;
  bool has_work(std::size_t place, int rank) const;
  bool is_begun(std::size_t place) const;
  bool ran_all_that_follows(std::size_t place, int rank) const;
  void make_ready(std::size_t place, int stage);
  void make_waiting(std::size_t place, int stage);
  std::vector<Release> release(std::size_t place, int finisher = kNobody, bool over = false);
  void put_back(std::size_t place, int stage);
  void count(std::size_t place, int sign);
  void refresh(std::size_t place);

  AbstractWorkflow workflow_;
  std::vector<std::int64_t> tiles_;
  std::unordered_map<std::int64_t, std::size_t> place_of_;  // in tiles_
  std::vector<int> deepest_first_;                          // stages
  std::vector<Instance> instances_;                         // of the first tile, of the second...
  std::vector<bool> over_;                                  // tiles whose rest is not needed
  std::vector<Rank> ranks_;
  std::set<int> keepers_;                   // ranks with anything in `ready`
  Ready new_;                               // ready, and for no rank
  std::int64_t open_ = 0, open_begun_ = 0;  // waiting or ready: all, and those of tiles begun
  std::int64_t fetching_ = 0, left_ = 0;
  bool stopped_ = false, abandoned_ = false;
};

}  // namespace starpath::workflow
