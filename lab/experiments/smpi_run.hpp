// Simulated nodes that each run a StarPU: SMPI runs a copy of starpath-lab-rank for each node.
#pragma once
#include <string>

#include "lab/experiments/nodes_experiment.hpp"

namespace starpath::lab {

/// `nodes`: what the files and options of the request come to. Events, and bytes between nodes and from files, are not
/// counted. Throws Error{usage} without SMPI (no_smpi/), and Error{runtime} with the reason when the simulation fails.
NodesResult run_in_smpi(const NodesRequest& request, const NodesModel& nodes, const std::string& policy,
                        unsigned window);

}  // namespace starpath::lab
