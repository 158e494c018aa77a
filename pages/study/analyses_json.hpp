// What `starpath cluster`, `classify run` and `cohort` left in a study, in the page's data.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::pages {

// `folder`: of the study. A picture in it that cannot be read is a line in `problems`.

/// With the contact sheet and a warning where there is one. There is a cluster.
nlohmann::json clusters_json(const io::StudyClusters& clusters, const std::filesystem::path& folder,
                             std::vector<std::string>& problems);
/// Names and colours are those of exports; the last is out of range. There is a class.
nlohmann::json classes_json(const io::StudyClasses& classes);
/// With the heat map of the patients.
nlohmann::json cohort_json(const io::Cohort& cohort, const std::filesystem::path& folder,
                           std::vector<std::string>& problems);

/// Nuclei of a slide by cluster.
nlohmann::json cluster_counts(const io::StudyClusters& clusters, std::int64_t slide);
/// Of each class the nuclei in range, then those out of range.
nlohmann::json class_counts(const io::StudyClasses& classes, std::int64_t slide);

}  // namespace starpath::pages
