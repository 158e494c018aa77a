// Clustering of a study's slides or patients, on one process.
#pragma once
#include <filesystem>
#include <optional>

#include "pipelines/study_clusters/cluster_members.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

struct ClusteredMembers {
  MemberOutcome outcome;
  std::filesystem::path table;  ///< clusters_of_slides.csv or clusters_of_patients.csv in the study's folder
};

/// Clusters the members of the study in run.out, and writes the clusters into study.sqlite and the vectors into the
/// table. Returns nothing where the user stopped it. Throws Error{usage} when the table is a file that the study is
/// made from, Error{output} when it is a file of another program, and as plan_members() and cluster_members() do.
std::optional<ClusteredMembers> cluster_members_of(const RunRequest& run, const MemberClusterRequest& request,
                                                   RunListener& listener);

}  // namespace starpath
