// The options by which a user says what exports hold.
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "io/exports/export_options.hpp"

namespace starpath::apps {

/// --features and --digits.
void add_export_options(CLI::App& command, io::ExportOptions& options);

/// --export of a command that gives nuclei `groups` ("clusters", "classes"): the exports that show them and read no
/// slide, or none; GeoJSON unless said.
void add_group_exports(CLI::App& command, std::vector<std::string>& exports, const std::string& groups);

/// Tells which files the user's stop left unwritten, and how to write them: `results` has its `groups`. Returns the
/// exit code.
int tell_stopped_group_exports(const std::vector<std::filesystem::path>& stopped, const std::vector<std::string>& names,
                               const std::string& results, const std::string& groups);

}  // namespace starpath::apps
