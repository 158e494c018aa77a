#include "mpi/job/death_watch.hpp"

#include <fmt/format.h>

#include <numeric>

#include "mpi/network/clock.hpp"

namespace starpath::mpi {
namespace {

std::vector<int> ranks_to_watch(const Network& network) {
  if (network.rank() != 0) return {0};
  std::vector<int> others(static_cast<std::size_t>(network.size() - 1));
  std::iota(others.begin(), others.end(), 1);
  return others;
}

}  // namespace

DeathWatch::DeathWatch(const Network& network, double patience, JobAbort& abort)
    : network_(network),
      patience_(patience),
      abort_(abort),
      peers_(ranks_to_watch(network)),
      silence_(peers_, patience, seconds_now()) {}

void DeathWatch::heard(int rank) { silence_.heard(rank, seconds_now()); }

void DeathWatch::check(double now) {
  const auto lost = silence_.lost(now);
  if (!lost) return;
  abort_(ErrorKind::runtime,
         fmt::format("{} has not been heard of for {:.0f} s: {}", network_.name_of(*lost), patience_, kHowToGoOn));
}

}  // namespace starpath::mpi
