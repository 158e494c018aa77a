// The study whose nuclei are clustered, on the process that writes study.sqlite.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/results/output_lock.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/cluster_plan.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"
#include "runs/files_at_work.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// Holds the lock of the study's folder while it lives.
class ClusteredStudy {
 public:
  /// Throws Error{input} where there is no study, and as plan_clusters() and check_group_exports() do.
  ClusteredStudy(const RunRequest& run, const ClusterRequest& arguments);

  const ClusterPlan& plan() const { return plan_; }
  /// Removes the clusters from study.sqlite, because slides get other ones from now on. put() writes the new ones.
  void begin() { store_.begin_clusters(); }
  /// Writes the clusters, with the counts of all slides, into study.sqlite, and keeps the outcome.
  void put(ClusterOutcome outcome);
  /// What put() was given; nothing where the work was stopped before.
  const std::optional<ClusterOutcome>& found() const { return found_; }
  /// After put(): writes run.exports of each slide, and clusters.png, or removes one of an earlier call. What cannot be
  /// shown is added to the outcome's warnings. Once `stop` is true no file is begun.
  FilesAtEnd write_files(const RunRequest& run, bool contact_sheet, RunListener& listener,
                         const std::atomic<bool>& stop);

 private:
  const std::unique_ptr<io::OutputLock> lock_;
  io::StudyStore store_;
  std::vector<std::string> warnings_;
  const ClusterPlan plan_;
  std::optional<ClusterOutcome> found_;
};

}  // namespace starpath
