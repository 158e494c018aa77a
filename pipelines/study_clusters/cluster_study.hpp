// Clusters of a study's nuclei: from its results to its results, on one process or each of several.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/clustering/team.hpp"
#include "pipelines/study_clusters/cluster_plan.hpp"
#include "pipelines/study_clusters/first_centres.hpp"
#include "pipelines/study_clusters/typical_nuclei.hpp"

namespace starpath {

struct ClusterRequest {
  std::filesystem::path study;
  std::vector<std::string> features = {"basic"};
  int k = 8;  ///< 0: chosen by silhouettes of a sample
  int rounds = 100;
  std::int64_t batch = 0;  ///< nuclei that a round looks at; 0, or as many as there are: all
  std::uint64_t seed = 1;
};

/// `counts` and `typical` are those of this process's slides, the rest is the same on all.
struct ClusterOutcome : ClusterFigures {
  io::StudyClusters clusters;
  TypicalNuclei typical{0, 0};
  std::vector<std::string> warnings;  ///< a line each
};

/// Reads features, finds clusters, and writes the cluster of each nucleus into the results of its slide. This process
/// serves the slides of the plan at the places `mine`; each other slide belongs to another process of the team. StarPU
/// must be running. No process writes before all of them have the clusters. Returns nothing if it was stopped before it
/// wrote, or if another process failed. Calls `before_writing` once, when all slides can be written and none is. Throws
/// Error{usage} if no feature varies. The caller writes the outcome into the study.
std::optional<ClusterOutcome> cluster_nuclei(const ClusterRequest& arguments, const ClusterPlan& plan,
                                             const std::vector<std::size_t>& mine, Team& team,
                                             const ClusterProgress& progress, const std::atomic<bool>& stop,
                                             const std::function<void()>& before_writing);

}  // namespace starpath
