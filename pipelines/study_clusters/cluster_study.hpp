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

/// One number of clusters, as the sample has it.
struct ClusterChoice {
  int k;
  double silhouette, standard_error;  ///< of the silhouette
  double spread;                      ///< mean squared distance from the centre, squared deviations
};

/// Told of the work as it goes on.
struct ClusterProgress {
  std::function<void(const std::string& what)> on_phase;  // what begins: "reading features"
  OnShare on_share;                                       // how much of it is done, 0 to 1
};

/// `counts` and `typical` are those of this process's slides, the rest is the same on all.
struct ClusterOutcome {
  std::int64_t batch = 0;  ///< nuclei of a round; 0: all
  io::StudyClusters clusters;
  TypicalNuclei typical{0, 0};
  std::vector<ClusterChoice> choices;  ///< of `--k auto`, or of the one k
  std::vector<std::string> warnings;   ///< a line each
  int rounds = 0;
  bool settled = false;
  double spread = 0;
};

/// Reads features, finds clusters and writes each nucleus its own into the slides' results: of the slides of the plan,
/// those at the places `mine`, while each other one is that of another of the team. StarPU is running. Nothing is
/// written before all processes have clusters. Nothing is returned where it is stopped before, or because another
/// process failed. `before_writing` is called once all slides can be written, before the first is. Throws Error{usage}
/// for features none of which varies. The study is yet to be told.
std::optional<ClusterOutcome> cluster_nuclei(const ClusterRequest& arguments, const ClusterPlan& plan,
                                             const std::vector<std::size_t>& mine, Team& team,
                                             const ClusterProgress& progress, const std::atomic<bool>& stop,
                                             const std::function<void()>& before_writing);

}  // namespace starpath
