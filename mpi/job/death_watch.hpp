// Declares a silent rank lost, and ends the job.
#pragma once
#include <vector>

#include "mpi/job/job_abort.hpp"
#include "mpi/network/network.hpp"
#include "mpi/protocol/silence_watch.hpp"

namespace starpath::mpi {

/// Rank 0 watches all other ranks, the others watch rank 0. A lost rank ends the job, because MPI does not outlive one
/// of its ranks. The tiles that it finished are in its results file; --resume gives its other tiles to the ranks of the
/// next job. For the thread of the network.
class DeathWatch {
 public:
  /// `patience`: seconds of silence after which a rank is lost.
  DeathWatch(const Network& network, double patience, JobAbort& abort);

  /// A message of this rank is here.
  void heard(int rank);
  /// The rank's silence means nothing from now on.
  void forget(int rank) { silence_.forget(rank); }
  /// Watches all peers again, from `now` on, as after the constructor.
  void watch_all(double now) { silence_ = SilenceWatch(peers_, patience_, now); }
  /// The ranks that this rank watches at first, and that watch it.
  const std::vector<int>& peers() const { return peers_; }
  /// Ends the processes of all ranks if one is lost, and then does not return. Must be called at least six times within
  /// the patience (SilenceWatch::lost).
  void check(double now);

 private:
  const Network& network_;
  const double patience_;
  JobAbort& abort_;
  const std::vector<int> peers_;
  SilenceWatch silence_;
};

}  // namespace starpath::mpi
