// Messages of other ranks that do not pass the manager, as those of streams.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "mpi/protocol/stream_messages.hpp"

namespace starpath::mpi {

/// A message of another rank, on the thread of the network.
using OnPeer = std::function<void(int from, const StreamMessage& message)>;

/// Keeps messages that come before this rank listens: others may have begun already. For the thread of the network.
class PeerInbox {
 public:
  void listen(OnPeer on_peer) {
    on_peer_ = std::move(on_peer);
    for (const auto& [from, message] : std::exchange(early_, {})) on_peer_(from, message);
  }
  void receive(int from, const StreamMessage& message) {
    if (on_peer_)
      on_peer_(from, message);
    else
      early_.emplace_back(from, message);
  }

 private:
  OnPeer on_peer_;
  std::vector<std::pair<int, StreamMessage>> early_;
};

}  // namespace starpath::mpi
