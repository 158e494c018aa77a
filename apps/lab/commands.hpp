// What `starpath-lab` does.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::lab {
struct RunOptions;
}

namespace starpath::apps {

/// `starpath-lab --network`: a workload on several simulated nodes. Returns the exit code, throws Error.
int lab_nodes_command(int argc, char** argv);
/// `starpath-lab` without --network. In builds without StarPU on SimGrid it throws Error{usage} (no_machine/).
int lab_machine_command(int argc, char** argv);

/// --jobs and --timeout.
void add_run_options(CLI::App& command, lab::RunOptions& options);

/// The options of the command itself: runs one workload on one machine under several policies.
void add_lab_run(CLI::App& app);
/// `starpath-lab board`.
void add_lab_board(CLI::App& app);
/// `starpath-lab validate`.
void add_lab_validate(CLI::App& app);
/// `starpath-lab models`.
void add_lab_models(CLI::App& app);

}  // namespace starpath::apps
