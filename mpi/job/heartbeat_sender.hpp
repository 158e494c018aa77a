// Tells other ranks that this one lives.
#pragma once
#include "mpi/job/death_watch.hpp"
#include "mpi/network/clock.hpp"
#include "mpi/network/message_codec.hpp"
#include "mpi/network/network.hpp"
#include "mpi/protocol/heartbeat.hpp"

namespace starpath::mpi {

/// Sends signs of life to the ranks that may watch this one, until it ends MPI. For the thread of the network.
class HeartbeatSender {
 public:
  HeartbeatSender(Network& network, const DeathWatch& deaths, double patience)
      : network_(network), deaths_(deaths), heartbeat_(patience, seconds_now()) {}

  /// Sends them if they are due.
  void beat(double now) {
    if (!heartbeat_.due(now)) return;
    const std::string alive = network_.rank() == 0 ? encode(ToWorker{Alive{}}) : encode(ToManager{Alive{}});
    for (const int rank : deaths_.peers()) network_.send(rank, Channel::manager, alive);
  }

 private:
  Network& network_;
  const DeathWatch& deaths_;
  Heartbeat heartbeat_;
};

}  // namespace starpath::mpi
