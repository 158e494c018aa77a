// The study whose nuclei are clustered, on the process that keeps its books.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "apps/run/run_request.hpp"
#include "io/results/output_lock.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/cluster_plan.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"

namespace starpath::apps {

/// Has the study's folder for itself as long as it lives.
class ClusteredStudy {
 public:
  /// Throws Error{input} where there is no study, and as plan_clusters() and check_group_exports() do.
  ClusteredStudy(const RunRequest& run, const ClusterRequest& arguments);

  const ClusterPlan& plan() const { return plan_; }
  /// A line each, of slides that are left out.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Slides are written from now on: until put() nobody takes the study's clusters for theirs.
  void begin() { store_.begin_clusters(); }
  /// Writes the clusters, with the counts of all slides, into study.sqlite.
  void put(ClusterOutcome& outcome);

 private:
  const std::unique_ptr<io::OutputLock> lock_;
  io::StudyStore store_;
  std::vector<std::string> warnings_;
  const ClusterPlan plan_;
};

}  // namespace starpath::apps
