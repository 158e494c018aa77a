// What `starpath-lab --network` simulates, and its results as JSON and as tables.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/nodes/slides.hpp"
#include "lab/nodes/work.hpp"

namespace starpath::apps {

/// What is simulated.
struct NodesStudy {
  lab::NodesWork work;
  std::vector<unsigned> slides;  // tiles of each; empty: no study
  double bound = 0;              // of their makespan, seconds
};

/// One simulation and what came of it.
struct NodesRun {
  std::string policy;
  unsigned window;
  std::string hand_out = {};  // of slides
  lab::StudyEnd study{};
  double wall_seconds = 0;
  lab::NodesResult result{};
  nlohmann::json trace{};
};

/// `engine`: as on the command line. `traced`: whether the runs have a trace.
nlohmann::json nodes_results_as_json(const std::vector<NodesRun>& runs, const lab::NodesModel& all_nodes,
                                     const NodesStudy& study, const std::string& engine, bool traced);
/// On standard output.
void print_nodes_results(const std::vector<NodesRun>& runs, const lab::NodesModel& all_nodes, const NodesStudy& study);

}  // namespace starpath::apps
