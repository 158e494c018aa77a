// Exports of results that need no slide.
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"

namespace starpath::apps {

/// --export of a command that gives nuclei `groups` ("clusters", "classes"): the exports that show them and read no
/// slide, or none; GeoJSON unless said.
void add_group_exports(CLI::App& command, std::vector<std::string>& exports, const std::string& groups);

/// Throws Error{usage} when one of `wanted` beside the results would replace a file that the command reads, as the
/// regions that were drawn for the slide. Before the work.
void check_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted);

/// Writes those of `wanted` beside each of `results`, on `threads` threads. `files` gets what was written. Throws as
/// the exports.
void write_group_exports(const std::vector<std::filesystem::path>& results, const std::vector<std::string>& wanted,
                         int threads, ProgressReport& report, std::vector<std::string>& files);

}  // namespace starpath::apps
