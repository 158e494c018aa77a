// Clustering of a study, on one process or as one rank of several.
#pragma once
#include <memory>

#include "runs/clusters/clustered_study.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// Clusters the nuclei of the study in run.out. Under a launcher each rank reads its slides and writes its clusters
/// into their results, and rank 0 keeps the study's books. Returns the study once the other ranks are gone; on ranks
/// other than 0 nothing.
std::unique_ptr<ClusteredStudy> cluster_study(const RunRequest& run, const ClusterRequest& arguments,
                                              RunListener& listener);

}  // namespace starpath
