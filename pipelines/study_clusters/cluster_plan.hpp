// Which slides and features are clustered.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/study_clusters/study_nuclei.hpp"

namespace starpath {

struct ClusterPlan {
  std::vector<ClusteredSlide> slides;
  std::vector<std::string> features;  // of nuclei that are compared

  std::int64_t nuclei() const { return slides.empty() ? 0 : slides.back().first + slides.back().nuclei; }
};

/// Reads which slides the study has and which features their nuclei have. `k` is the number of clusters; 0 leaves the
/// choice to silhouettes. `warnings` gets a line for each slide that is left out. Throws Error{input} for a slide whose
/// results are gone and for a study without nuclei, Error{mismatch} for slides with other features, Error{usage} for
/// more clusters than nuclei and for features (as ExportOptions::features) that a slide does not have.
ClusterPlan plan_clusters(const std::filesystem::path& study, const io::StudyStore& store,
                          const std::vector<std::string>& features, int k, std::vector<std::string>& warnings);

/// A plan as text for another process, which may know the study under another path.
std::string plan_text(const ClusterPlan& plan, const std::filesystem::path& study);
ClusterPlan plan_from(const std::string& text, const std::filesystem::path& study);

}  // namespace starpath
