// The end of a job: no rank ends MPI before every rank has sent all it had to send.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "mpi/job/death_watch.hpp"
#include "mpi/network/clock.hpp"
#include "mpi/network/network.hpp"

namespace starpath::mpi {

/// Each rank tells rank 0 once all of its messages are sent. Rank 0 answers when all ranks have done so. Then each rank
/// says its last word and ends MPI, which does not tell which rank it waits for. Until then ranks are watched as in the
/// run. For the thread of the network.
class JobEnd {
 public:
  JobEnd(Network& network, DeathWatch& deaths)
      : network_(network), deaths_(deaths), told_(static_cast<std::size_t>(network.size())) {}

  /// This rank has nothing else to do. To be called often from then on, until over().
  void say() {
    if (!begun_ && network_.rank() == 0) deaths_.watch_all(seconds_now());  // ranks that left the run are needed again
    begun_ = true;
    if (network_.rank() == 0)
      answer();
    else if (said_ <= heard_ && said_ < kLastWord && network_.all_sent())
      send(0);
  }
  /// A message of Channel::leaving.
  void heard(int from) {
    ++heard_;
    if (network_.rank() == 0 && ++told_[static_cast<std::size_t>(from)] == kLastWord) deaths_.forget(from);
  }
  /// Messages of the run that other ranks still send mean nothing.
  bool begun() const { return begun_; }
  bool over() {
    return (network_.rank() == 0 ? answered_ && all_told(kLastWord) : said_ == kLastWord) && network_.all_sent();
  }

 private:
  static constexpr int kAllSent = 1, kLastWord = 2;  // how often a rank has told

  void answer() {
    if (answered_ || !all_told(kAllSent)) return;
    answered_ = true;
    for (int rank = 1; rank < network_.size(); ++rank) send(rank);
  }
  bool all_told(int often) const {
    return std::all_of(told_.begin() + 1, told_.end(), [often](int told) { return told >= often; });
  }
  void send(int to) {
    ++said_;
    network_.send(to, Channel::leaving, "");
  }

  Network& network_;
  DeathWatch& deaths_;
  bool begun_ = false;
  bool answered_ = false;     // rank 0
  std::vector<int> told_;     // rank 0: by rank
  int said_ = 0, heard_ = 0;  // other ranks
};

}  // namespace starpath::mpi
