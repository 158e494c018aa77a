// Who is still there: signs of life, sent and watched for. Pure.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

namespace starpath::cluster {

/// Times are seconds of one clock of the caller. Every message is a sign of life. Not thread-safe.
class Pulse {
 public:
  /// Watches `ranks` from `now` on; one that is silent for longer than `patience` is lost.
  Pulse(std::vector<int> ranks, double patience, double now) : patience_(patience), last_beat_(now) {
    for (const int rank : ranks) heard_.push_back({rank, now});
  }

  void heard(int rank, double now) {
    for (Peer& peer : heard_)
      if (peer.rank == rank) peer.last = std::max(peer.last, now);
  }
  void forget(int rank) {
    std::erase_if(heard_, [&](const Peer& peer) { return peer.rank == rank; });
  }
  bool watches(int rank) const {
    return std::any_of(heard_.begin(), heard_.end(), [&](const Peer& peer) { return peer.rank == rank; });
  }

  /// True when it is time to send a sign of life to all that are watched, six times within the patience.
  bool beat(double now) {
    if (now - last_beat_ < patience_ / 6) return false;
    last_beat_ = now;
    return true;
  }

  /// The rank that has been silent too long. A caller that was itself stopped for that long (suspended, swapped out)
  /// has heard nobody: it must call this at least as often as beat(), and the others get their patience anew.
  std::optional<int> lost(double now) {
    const double gap = now - last_look_.value_or(now);
    last_look_ = now;
    if (gap > patience_ / 2)
      for (Peer& peer : heard_) peer.last += gap;
    for (const Peer& peer : heard_)
      if (now - peer.last > patience_) return peer.rank;
    return std::nullopt;
  }

  const std::vector<int> watched() const {
    std::vector<int> ranks;
    for (const Peer& peer : heard_) ranks.push_back(peer.rank);
    return ranks;
  }

 private:
  struct Peer {
    int rank;
    double last;
  };
  double patience_;
  double last_beat_;
  std::optional<double> last_look_;
  std::vector<Peer> heard_;
};

}  // namespace starpath::cluster
