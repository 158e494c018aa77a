// What `starpath-lab --cluster` simulates, and its results as JSON and as tables.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/cluster/slides.hpp"
#include "lab/cluster/work.hpp"

namespace starpath::apps {

/// What is simulated.
struct ClusterStudy {
  lab::ClusterWork work;
  std::vector<unsigned> slides;  // tiles of each; empty: no study
  double bound = 0;              // of their makespan, seconds
};

/// One simulation and what came of it.
struct ClusterRun {
  std::string policy;
  unsigned window;
  std::string hand_out = {};  // of slides
  lab::StudyEnd study{};
  double wall_seconds = 0;
  lab::ClusterResult result{};
  nlohmann::json trace{};
};

/// `engine`: as on the command line. `traced`: whether the runs have a trace.
nlohmann::json cluster_results_as_json(const std::vector<ClusterRun>& runs, const lab::ClusterModel& cluster,
                                       const ClusterStudy& study, const std::string& engine, bool traced);
/// On standard output.
void print_cluster_results(const std::vector<ClusterRun>& runs, const lab::ClusterModel& cluster,
                           const ClusterStudy& study);

}  // namespace starpath::apps
