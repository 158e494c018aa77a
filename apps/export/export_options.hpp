// The options by which a user says what exports hold.
#pragma once
#include <CLI/CLI.hpp>

#include "io/exports/export_options.hpp"

namespace starpath::apps {

/// --features and --digits.
void add_export_options(CLI::App& command, io::ExportOptions& options);

}  // namespace starpath::apps
