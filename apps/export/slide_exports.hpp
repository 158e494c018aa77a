// Exports of results that need no slide.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"

namespace starpath::apps {

/// Names of the exports that show clusters and classes of nuclei and read no slide, and "none".
std::vector<std::string> group_export_names();

/// Writes those of `wanted` beside the results. `files` gets what was written. Throws as the exports.
void write_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted,
                         ProgressReport& report, std::vector<std::string>& files);

}  // namespace starpath::apps
