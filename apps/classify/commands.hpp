// The subcommands of `starpath classify`.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

void add_classify_train_command(CLI::App& classify);
void add_classify_run_command(CLI::App& classify);
void add_classify_evaluate_command(CLI::App& classify);

}  // namespace starpath::apps
