// The manager's side of Manager-Worker: which rank gets which stage instance when, and when the job is over. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi/protocol/messages.hpp"
#include "workflow/concrete_workflow.hpp"

namespace starpath::mpi {

/// Why a job ends before its tiles do.
struct RankFailure {
  int rank;
  int kind;  // an ErrorKind
  std::string reason;
};

/// A state machine without MPI, threads or clock: it is told of messages and answers with messages.
/// workflow::ConcreteWorkflow keeps the instances and their dependencies. A rank that asks gets the following, in this
/// order, and never more than it asked for:
///  1. instances that need data which it keeps, or belong to tiles that it has in work;
///  2. tiles that nobody has begun, in the order given;
///  3. instances that are for another rank by rule 1, if that rank has more than its fair share;
///  4. instances that are for another rank by rule 1, if that rank cannot run them.
/// Rules 2 and 3 fill a rank up to its fair share of the unfinished tiles: its weight over the sum of all weights. The
/// weight of a rank is its window, which shows its size, plus the tiles it has finished, which show its speed. So at
/// the end no rank holds a window of tiles while another idles. A rank that got less than it asked for gets the rest as
/// it finishes tiles.
///
/// Ranks that exchange buffers begin together, once all of them are ready, or never.
///
/// Invariants: an instance has one rank at a time, which was welcomed; no tile is begun after stop() or a failure;
/// other ranks compute the instances that a failed rank had in hand or kept, as far as their tiles go on. Messages of
/// one rank may come in any order and arbitrarily late. Counts in End, Bye and Failed say how many instances were
/// assigned or answered, so the receiver knows whether a message is still on its way. (MPI keeps the order between two
/// ranks; nothing here relies on it.)
///
/// Not thread-safe. Source: hybrid-pipelines-2012 section III, Figure 4.
class Manager {
 public:
  /// A message and the rank that is to get it.
  using Send = std::pair<int, ToWorker>;
  using Sends = std::vector<Send>;

  /// `takers`: how many of the ranks ask for instances; 0 for all.
  Manager(int ranks, Agreement agreement, const std::vector<std::int64_t>& tiles, int takers = 0,
          workflow::AbstractWorkflow workflow = workflow::single_stage("tile"));

  Sends receive(int rank, const ToManager& message);
  /// On request of the user: tiles begun are finished, others left.
  Sends stop();
  /// The same because `rank` cannot go on. The user is told of the first failure. The rank is not waited for.
  Sends fail(const RankFailure& failure);

  /// Every rank has said that it is done, and all its answers have been heard.
  bool over() const;
  /// Tiles that nobody finished.
  std::int64_t left() const { return work_.left(); }
  const std::optional<RankFailure>& failure() const { return failure_; }
  /// Whether something can still come from this rank.
  bool expects(int rank) const { return !at(rank).gone(); }
  /// Tiles that this rank has finished.
  std::int64_t finished(int rank) const { return at(rank).finished; }
  /// The books of a rank that said Bye; empty before.
  const std::string& books(int rank) const { return at(rank).books; }

 private:
  enum class Standing { unknown, welcome, refused, abandoned };
  struct Rank {
    Standing standing = Standing::unknown;
    bool told_drop = false, told_end = false;
    std::int64_t window = 0;  // the number that it asked for first
    std::int64_t room = 0;    // asked for and not assigned
    std::int64_t assigned = 0;
    std::int64_t answered = 0;                // instances finished or returned, heard of
    std::int64_t finished = 0;                // tiles
    std::optional<std::int64_t> expected;     // answers in all, once it said so
    std::optional<std::string> introduction;  // once it is ready
    std::string books;
    bool failed = false;
    bool gone() const {
      return standing == Standing::refused || standing == Standing::abandoned || (expected && *expected == answered);
    }
  };
  const Rank& at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  void handle(int rank, const Hello& hello, Sends& out);
  void handle(int rank, const Ready& ready, Sends& out);
  void handle(int rank, const Request& request, Sends& out);
  void handle(int rank, const Finished& finished, Sends& out);
  void handle(int rank, const Returned& returned, Sends& out);
  void handle(int rank, const Interrupted&, Sends& out);
  void handle(int rank, const Failed& failed, Sends& out);
  void handle(int rank, const Bye& bye, Sends& out);
  void handle(int, const Alive&, Sends&) {}
  Rank& rank_at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void answered(int rank, Sends& out);
  void lose(int rank, Sends& out);
  std::vector<int> abandon_if_stuck();
  void tell_lost(int rank, Sends& out);
  void tell_forget(const std::vector<workflow::Release>& releases, Sends& out);
  void serve(int rank, Sends& out);
  void serve_all(Sends& out);
  std::optional<Handout> next_for(int rank);
  std::optional<Handout> next_of_others(int rank, bool has_its_share);
  /// The rank's share of the unfinished tiles, rounded up: at least 1 while there are any, for a rank that has asked.
  std::int64_t fair_share(int rank) const;
  void tell_drop(int rank, Sends& out);
  void tell_end(int rank, Sends& out);

  const Agreement agreement_;
  workflow::ConcreteWorkflow work_;
  std::vector<Rank> ranks_;
  std::set<int> with_room_;  // ranks that want more than they were given
  std::size_t takers_;
  std::int64_t finished_ = 0;             // tiles
  std::int64_t windows_ = 0, asked_ = 0;  // of the ranks that have asked: the sum of their windows, their number
  bool begun_ = false, stopped_ = false, ended_ = false;  // ended: nothing is assigned any more
  std::optional<RankFailure> failure_;
};

}  // namespace starpath::mpi
