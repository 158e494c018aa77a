// A command-line program: its arguments in, its exit code out.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

namespace starpath::apps {

using AddCommands = std::function<void(CLI::App&)>;

/// Runs the command that the arguments name, of those that `add_commands` adds. `footer` closes the help. Turns every
/// error into one line on stderr. Returns the exit code (docs/robustness.md). Once in a process, on its first thread.
int run_program(int argc, char** argv, const AddCommands& add_commands, const char* footer);

}  // namespace starpath::apps
