// The ranks of a job as a team that clusters.
#pragma once
#include <atomic>
#include <functional>

#include "mpi/job/job.hpp"
#include "mpi/transport/sum_tree.hpp"
#include "pipelines/clustering/team.hpp"

namespace starpath::apps {

/// All ranks make one within StarPU's life, once each of them can. For one thread.
class RankTeam final : public Team {
 public:
  /// `stop`: that this rank is told to stop.
  RankTeam(mpi::Job& job, const std::atomic<bool>& stop);

  void together(const std::function<void()>& part) override { do_part(part, true); }
  void together_to_the_end(const std::function<void()>& part) override { do_part(part, false); }
  void sum(std::span<std::int64_t> values) override { tree_.sum(values); }

  /// All ranks know that the work ends here. Before that, the others would wait for a rank that leaves.
  bool over() const { return over_; }

 private:
  void do_part(const std::function<void()>& part, bool heed_stop);

  mpi::Job& job_;
  const std::atomic<bool>& stop_;
  mpi::BufferTransport transport_;
  mpi::SumTree tree_;
  bool over_ = false;
};

}  // namespace starpath::apps
