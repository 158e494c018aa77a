// The options by which a user says parameters of the segmentation.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pipelines/segmentation/parameters.hpp"

namespace starpath::apps {

struct ParameterArguments {
  std::string preset = "default";
  std::string file;               // TOML; empty: none
  std::vector<std::string> said;  // NAME=VALUE
};

/// --preset, --parameters and --set.
void add_parameter_options(CLI::App& command, ParameterArguments& arguments);

/// --show-parameters: prints the table with the values that `arguments` give, as JSON where `json` is true, and ends
/// the parsing with CLI::Success. To be added behind the options that it depends on.
void add_show_parameters(CLI::App& command, const ParameterArguments& arguments, const bool& json);

/// The preset, then the file, then what was said. Throws Error{usage} or, for a file that cannot be read, Error{input}.
SegmentationParameters parameters_of(const ParameterArguments& arguments);

}  // namespace starpath::apps
