// Clusters of a study's slides, or of its patients, by their mean vectors.
#pragma once
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/first_centres.hpp"
#include "pipelines/study_clusters/member_vectors.hpp"

namespace starpath {

/// What members are, for messages.
Noun noun_of(io::MemberKind kind);

/// The vectors of a study that can be clustered. `features`: as ExportOptions::features. `warnings` gets a line for
/// each slide that is left out. Throws Error{input} for a slide whose results are gone, for patients where no slide has
/// one, and for fewer than two members, Error{usage} for more clusters than members, and as feature_names() does.
MemberVectors plan_members(const std::filesystem::path& study, const io::StudyStore& store, io::MemberKind kind,
                           const std::vector<std::string>& features, int k, std::vector<std::string>& warnings);

struct MemberClusterRequest {
  io::MemberKind kind = io::MemberKind::slides;
  std::vector<std::string> features = {"basic"};
  CentreRequest centres;
  int rounds = 100;
};

struct MemberOutcome : ClusterFigures {
  io::MemberClusters clusters;
  std::vector<std::string> warnings;  ///< a line each
};

/// k-means over the members, as over nuclei: standardised values in whole numbers, each block a task. StarPU must be
/// running. The same on any device, for any number of workers. Clusters are numbered by size, the largest first.
/// Returns nothing if it was stopped. Throws as kmeans() and check_spread() do.
std::optional<MemberOutcome> cluster_members(const MemberClusterRequest& request, const MemberVectors& vectors,
                                             const ClusterProgress& progress, const std::atomic<bool>& stop);

}  // namespace starpath
