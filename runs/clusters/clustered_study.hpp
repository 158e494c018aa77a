// The study whose nuclei are clustered, on the process that writes study.sqlite.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/results/output_lock.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/cluster_plan.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// Holds the lock of the study's folder while it lives.
class ClusteredStudy {
 public:
  /// Throws Error{input} where there is no study, and as plan_clusters() and check_group_exports() do.
  ClusteredStudy(const RunRequest& run, const ClusterRequest& arguments);

  const ClusterPlan& plan() const { return plan_; }
  /// One line for each slide that is left out.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Removes the clusters from study.sqlite, because slides get other ones from now on. put() writes the new ones.
  void begin() { store_.begin_clusters(); }
  /// Writes the clusters, with the counts of all slides, into study.sqlite, and keeps the outcome.
  void put(ClusterOutcome outcome);
  /// What put() was given; nothing where the work was stopped before.
  std::optional<ClusterOutcome>& found() { return found_; }

 private:
  const std::unique_ptr<io::OutputLock> lock_;
  io::StudyStore store_;
  std::vector<std::string> warnings_;
  const ClusterPlan plan_;
  std::optional<ClusterOutcome> found_;
};

}  // namespace starpath
