// The options by which a user says parameters of the segmentation.
#pragma once
#include <CLI/CLI.hpp>

#include "pipelines/segmentation/asked_parameters.hpp"

namespace starpath::apps {

/// --parameters and --set.
void add_parameter_values(CLI::App& command, AskedParameters& asked);
/// The same, --preset, --detector and --detector-weights.
void add_parameter_options(CLI::App& command, AskedParameters& asked);

/// --show-parameters: prints the table with the values that `asked` gives, as JSON where `json` is true, and ends
/// the parsing with CLI::Success. To be added behind the options that it depends on.
void add_show_parameters(CLI::App& command, const AskedParameters& asked, const bool& json);

}  // namespace starpath::apps
