// Clustering as one rank of several.
#pragma once
#include <functional>
#include <optional>

#include "apps/cluster/clustered_study.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/run_request.hpp"

namespace starpath::apps {

/// What is to come after the clusters are in study.sqlite: the exit code. The outcome is that of all ranks, or nothing
/// where the job was stopped.
using AfterClusters =
    std::function<int(const ClusteredStudy& study, std::optional<ClusterOutcome> found, ProgressReport& report)>;

/// Each rank reads its slides and writes its clusters into their results; rank 0 keeps the study's books, and goes on
/// with `after` once the others are gone. Returns the exit code.
int cluster_as_rank(const RunRequest& run, const ClusterRequest& arguments, const AfterClusters& after);

}  // namespace starpath::apps
