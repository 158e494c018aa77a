// What the subcommands of `starpath nbia` share.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath::apps {

void add_nbia_run_command(CLI::App& nbia);
void add_nbia_train_command(CLI::App& nbia);
void add_nbia_evaluate_command(CLI::App& nbia);

/// Which model, and which of its levels.
struct ModelChoice {
  std::string file;         // empty for the bundled one
  std::vector<int> levels;  // empty for all
};

void add_model_options(CLI::App& command, ModelChoice& choice);
/// Throws as read_model and with_levels.
NbiaModel load_model(const ModelChoice& choice);

}  // namespace starpath::apps
