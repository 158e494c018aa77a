// Simulated nodes that each run a StarPU: SMPI runs a copy of starpath-lab-rank for each node.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/nodes/work.hpp"

namespace starpath::apps {

/// What the nodes read for themselves.
struct SmpiRun {
  std::filesystem::path network;                 // a file
  std::filesystem::path models;                  // the folder that has the machines
  std::filesystem::path workload;                // a file
  std::vector<std::string> set, nodes, workers;  // as on the command line
  std::string policy, estimator;
  unsigned window = 1;
  std::uint64_t seed = 1;
  bool no_reading = false;
  std::chrono::milliseconds limit{};
};

/// `all_nodes`: what the files and options come to. Events, and bytes between nodes and from files, are not counted.
/// Throws Error (usage) without SMPI (no_smpi/), and Error (runtime) with the reason when the simulation fails.
lab::NodesResult run_in_smpi(const SmpiRun& run, const lab::NodesModel& all_nodes);

}  // namespace starpath::apps
