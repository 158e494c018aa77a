// How ranks learn of each other's ends.
#include "runs/clusters/rank_team.hpp"

#include <array>
#include <exception>

namespace starpath {

RankTeam::RankTeam(mpi::Job& job, const std::atomic<bool>& stop)
    : job_(job), stop_(stop), transport_(job.shared_communicator()), tree_(transport_, job.rank(), job.size()) {}

void RankTeam::do_part(const std::function<void()>& part, bool heed_stop) {
  std::exception_ptr failure;
  bool stopped = false;
  try {
    part();
  } catch (const Stopped&) {
    stopped = true;
  } catch (...) {
    failure = std::current_exception();
  }
  stopped = stopped || (heed_stop && stop_);
  std::array<std::int64_t, 1> ends{failure || stopped};
  tree_.sum(ends);
  over_ = ends[0] > 0;
  if (failure) std::rethrow_exception(failure);
  if (over_) throw Stopped();
}

}  // namespace starpath
