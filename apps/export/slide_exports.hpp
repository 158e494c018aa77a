// Exports of results that need no slide.
#pragma once
#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "runs/files_at_work.hpp"

namespace starpath::apps {

/// --export of a command that gives nuclei `groups` ("clusters", "classes"): the exports that show them and read no
/// slide, or none; GeoJSON unless said.
void add_group_exports(CLI::App& command, std::vector<std::string>& exports, const std::string& groups);

/// Throws Error{usage} when one of `wanted` beside the results would replace a file that the command reads, as the
/// regions that were drawn for the slide, and Error{output} when it would replace a file that is no such export.
void check_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted);

/// Writes those that `names` says beside each of `results`, on `threads` threads, until `stop` is true. Throws as the
/// exports.
FilesAtEnd write_group_exports(const std::vector<std::filesystem::path>& results, const std::vector<std::string>& names,
                               int threads, RunListener& report, const std::atomic<bool>& stop);

/// Tells which files the user's stop left unwritten, and how to write them: `results` has its `groups`. Returns the
/// exit code.
int tell_stopped_group_exports(const std::vector<std::filesystem::path>& stopped, const std::vector<std::string>& names,
                               const std::string& results, const std::string& groups);

}  // namespace starpath::apps
