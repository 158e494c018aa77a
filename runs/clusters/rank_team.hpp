// The ranks of a job as a team that clusters.
#pragma once
#include <atomic>
#include <functional>

#include "mpi/job/job.hpp"
#include "mpi/transport/sum_tree.hpp"
#include "pipelines/clustering/team.hpp"

namespace starpath {

/// Every rank makes one while StarPU runs, after all ranks have said that they can begin. For one thread.
class RankTeam final : public Team {
 public:
  /// `stop` is true when this rank is told to stop.
  RankTeam(mpi::Job& job, const std::atomic<bool>& stop);

  void together(const std::function<void()>& part) override { do_part(part, true); }
  void together_to_the_end(const std::function<void()>& part) override { do_part(part, false); }
  void sum(std::span<std::int64_t> values) override { tree_.sum(values); }

  /// Tells that all ranks know where the work ends. A rank that left before would let the others wait for it.
  bool over() const { return over_; }

 private:
  void do_part(const std::function<void()>& part, bool heed_stop);

  mpi::Job& job_;
  const std::atomic<bool>& stop_;
  mpi::BufferTransport transport_;
  mpi::SumTree tree_;
  bool over_ = false;
};

}  // namespace starpath
