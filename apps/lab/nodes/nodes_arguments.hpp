// Options of `starpath-lab --network`.
#pragma once
#include <CLI/CLI.hpp>

#include "lab/experiments/nodes_experiment.hpp"

namespace starpath::apps {

/// Help and options of the command, which fill `request`.
void add_nodes_options(CLI::App& app, lab::NodesRequest& request);

}  // namespace starpath::apps
