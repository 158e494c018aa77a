// Options that several subcommands of `starpath nbia` have.
#pragma once
#include <CLI/CLI.hpp>

#include "pipelines/nbia/field_sources.hpp"
#include "pipelines/nbia/model_choice.hpp"

namespace starpath::apps {

/// SOURCE, --annotations, --classes, --coverage and --mpp.
void add_field_sources(CLI::App& command, FieldSources& from);

/// --model and --levels.
void add_model_options(CLI::App& command, ModelChoice& choice);

}  // namespace starpath::apps
