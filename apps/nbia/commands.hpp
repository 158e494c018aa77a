// The subcommands of `starpath nbia`.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

void add_nbia_run_command(CLI::App& nbia);
void add_nbia_train_command(CLI::App& nbia);
void add_nbia_evaluate_command(CLI::App& nbia);

}  // namespace starpath::apps
