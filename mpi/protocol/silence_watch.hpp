// Which rank has been silent for too long. Pure.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

namespace starpath::mpi {

/// Every message counts as a sign of life. Times are seconds of one clock of the caller. Not thread-safe.
class SilenceWatch {
 public:
  /// Watches `ranks` from `now` on. A rank that is silent for longer than `patience` is lost.
  SilenceWatch(const std::vector<int>& ranks, double patience, double now) : patience_(patience) {
    for (const int rank : ranks) peers_.push_back({rank, now});
  }

  void heard(int rank, double now) {
    for (Peer& peer : peers_)
      if (peer.rank == rank) peer.last = std::max(peer.last, now);
  }
  /// The rank says nothing more, and is watched no more.
  void forget(int rank) {
    std::erase_if(peers_, [&](const Peer& peer) { return peer.rank == rank; });
  }

  /// The rank that has been silent for too long. Must be called at least six times within the patience. A gap of more
  /// than half of the patience between two calls means that this process was stopped and could hear nobody: it is not
  /// counted.
  std::optional<int> lost(double now) {
    const double gap = now - last_look_.value_or(now);
    last_look_ = now;
    if (gap > patience_ / 2)
      for (Peer& peer : peers_) peer.last += gap;
    for (const Peer& peer : peers_)
      if (now - peer.last > patience_) return peer.rank;
    return std::nullopt;
  }

 private:
  struct Peer {
    int rank;
    double last;  // time of its last message
  };
  double patience_;
  std::optional<double> last_look_;
  std::vector<Peer> peers_;
};

}  // namespace starpath::mpi
