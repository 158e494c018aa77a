// A workload on several simulated nodes under several policies: what is asked, and what comes of it.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/nodes/slides.hpp"
#include "lab/nodes/work.hpp"

namespace starpath::lab {

/// What a user asks of the experiment.
struct NodesRequest {
  std::string network, workload, estimator, engine = "events";
  std::vector<std::string> policies, set, nodes, workers;
  std::vector<unsigned> windows;
  std::uint64_t seed = 1;
  double timeout = 3600;
  Copies copies = Copies::ahead;
  SlideModel slides{.median_tiles = 60, .spread = 0.7};
  SlideCosts slide_costs{.opening = 2, .exporting = 0.2};
  std::vector<std::string> hand_outs{"slides"};
  bool locality = false, no_reading = false, as_json = false, trace = false, list = false;
};

/// One simulation and what came of it.
struct NodesRun {
  std::string policy;
  unsigned window;
  std::string hand_out = {};  // of slides
  StudyEnd study{};
  double wall_seconds = 0;
  NodesResult result{};
  nlohmann::json trace{};

  /// The share of the makespan after the first node has finished all its tiles.
  double tail() const { return 1 - study.first_idle / result.makespan; }
  /// The share of the makespan in which the last slide is alone.
  double last_slide_alone() const { return 1 - study.last_but_one_slide / result.makespan; }
};

struct NodesExperiment {
  NodesModel nodes;
  NodesWork work;
  std::vector<unsigned> slides;  // tiles of each; empty: no study
  double bound = 0;              // of their makespan, seconds
  std::vector<NodesRun> runs;

  /// What one core of a node of the first group would take for all tasks.
  double core_seconds() const;
};

/// Simulates every policy with every window; once where the window is the policy's own. Throws Error{usage} for what
/// the engine cannot do, and as the readers of models do.
NodesExperiment run_nodes(const NodesRequest& request);

nlohmann::json to_json(const NodesExperiment& experiment, const NodesRequest& request);

}  // namespace starpath::lab
