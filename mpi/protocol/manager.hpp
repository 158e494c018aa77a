// The manager's side of Manager-Worker: who gets which tile when, and when the job is over. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/protocol/messages.hpp"

namespace starpath::cluster {

/// Why a job ends before its tiles do.
struct RankFailure {
  int rank;
  int kind;  // an ErrorKind
  std::string reason;
};

/// A state machine without MPI, threads or clock: it is told of messages and answers with messages. Tiles go out in the
/// order given, to the rank that asks first, and never more than it asked for. No rank holds more than its fair share
/// of the unfinished tiles: its weight over the sum of all weights. The weight of a rank is its window, which shows its
/// size, plus the tiles it has finished, which show its speed. So at the end no rank holds a window of tiles while
/// another idles. A rank that got fewer tiles than it asked for gets the others as it finishes tiles.
///
/// Ranks that exchange buffers begin together, once all of them are ready, or never.
///
/// Invariants: a tile is assigned once; to a rank that was welcomed; nothing is assigned after stop() or a failure.
/// Messages of one rank may come in any order and arbitrarily late. Counts in End, Bye and Failed say how many tiles
/// were assigned or finished, so the receiver knows whether a message is still on its way. (MPI keeps the order between
/// two ranks; nothing here relies on it.)
///
/// Not thread-safe. Source: hybrid-pipelines-2012 section III, Figure 4; each rank runs the whole pipeline of a tile.
class Manager {
 public:
  /// A message and the rank that is to get it.
  using Send = std::pair<int, ToWorker>;
  using Sends = std::vector<Send>;

  /// `takers`: how many of the ranks ask for tiles; 0 for all.
  Manager(int ranks, Agreement agreement, std::vector<std::int64_t> tiles, int takers = 0);

  Sends receive(int rank, const ToManager& message);
  /// On request of the user: tiles in flight are finished, others left.
  Sends stop();
  /// The same because `rank` cannot go on; the first failure is the one that is told. The rank is not waited for.
  Sends fail(const RankFailure& failure);

  /// Every rank has said that it is done, and all that it finished has been heard of.
  bool over() const;
  /// Tiles that nobody finished.
  std::int64_t left() const { return total_ - finished_; }
  const std::optional<RankFailure>& failure() const { return failure_; }
  /// Whether something can still come from this rank.
  bool expects(int rank) const { return !at(rank).gone(); }
  std::int64_t finished(int rank) const { return at(rank).finished; }
  /// Of a rank that said Bye; empty else.
  const std::string& books(int rank) const { return at(rank).books; }

 private:
  enum class Standing { unknown, welcome, refused, abandoned };
  enum class EndSent { no, yes, with_drop };
  struct Rank {
    Standing standing = Standing::unknown;
    EndSent end = EndSent::no;
    std::int64_t window = 0;  // what it asked for first
    std::int64_t room = 0;    // asked for and not assigned
    std::int64_t assigned = 0;
    std::int64_t finished = 0;                // heard of
    std::optional<std::int64_t> expected;     // finished in all, once it said so
    std::optional<std::string> introduction;  // once it is ready
    std::string books;
    bool gone() const {
      return standing == Standing::refused || standing == Standing::abandoned || (expected && *expected == finished);
    }
  };
  const Rank& at(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  void handle(int rank, const Hello& hello, Sends& out);
  void handle(int rank, const Ready& ready, Sends& out);
  void handle(int rank, const Request& request, Sends& out);
  void handle(int rank, const Finished&, Sends& out);
  void handle(int rank, const Interrupted&, Sends& out);
  void handle(int rank, const Failed& failed, Sends& out);
  void handle(int rank, const Bye& bye, Sends& out);
  void handle(int, const Alive&, Sends&) {}
  void serve(int rank, Sends& out);
  /// Of the unfinished tiles, rounded up: at least 1 while there are any, for a rank that has asked.
  std::int64_t fair_share(const Rank& rank) const;
  void end(int rank, Sends& out);
  void end_all(Sends& out);
  bool nothing_to_give() const { return stopped_ || next_ == tiles_.size(); }
  std::string disagreement(const Agreement& other) const;

  const Agreement agreement_;
  std::vector<std::int64_t> tiles_;
  std::size_t next_ = 0;  // in tiles_
  std::vector<Rank> ranks_;
  std::size_t takers_;
  std::int64_t total_, finished_ = 0;
  std::int64_t windows_ = 0, asked_ = 0;  // of the ranks that have asked: the sum of their windows, their number
  bool begun_ = false, stopped_ = false;
  std::optional<RankFailure> failure_;
};

}  // namespace starpath::cluster
