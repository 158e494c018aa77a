// Which model `starpath nbia run` and `evaluate` use.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath::apps {

struct ModelChoice {
  std::string file;         ///< empty for the bundled one
  std::vector<int> levels;  ///< empty for all
};

/// --model and --levels.
void add_model_options(CLI::App& command, ModelChoice& choice);
/// Throws as read_model and with_levels.
NbiaModel load_model(const ModelChoice& choice);

}  // namespace starpath::apps
