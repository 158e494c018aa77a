// Clusters of a study's nuclei: from its results to its results.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/cluster/study_nuclei.hpp"
#include "apps/run/progress_report.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

struct ClusterArguments {
  std::filesystem::path study;
  std::vector<std::string> features = {"basic"};
  int k = 8;  ///< 0: chosen by the silhouette of a sample
  int rounds = 100;
  std::uint64_t seed = 1;
};

/// One number of clusters, as the sample has it.
struct Choice {
  int k;
  double silhouette, spread;  ///< spread: mean squared distance from the centre, squared deviations
};

struct ClusterOutcome {
  io::StudyClusters clusters;
  std::vector<ClusteredSlide> slides;
  std::vector<std::vector<std::int64_t>> typical;  ///< nuclei of each cluster (typical_nuclei.hpp)
  std::vector<Choice> choices;                     ///< of `--k auto`, or of the one k
  std::vector<std::string> warnings;               ///< a line each
  int rounds = 0;
  bool settled = false;
  double spread = 0;
};

/// Reads features, finds clusters and writes each nucleus its own into the slides' results and the study. StarPU is
/// running. Once `stop` is true it ends without writing: nothing is returned. Throws Error{usage} for more clusters
/// than nuclei and for features none of which varies, Error{input} for a study without nuclei.
std::optional<ClusterOutcome> cluster_study(const ClusterArguments& arguments, ProgressReport& report,
                                            const std::atomic<bool>& stop);

}  // namespace starpath::apps
