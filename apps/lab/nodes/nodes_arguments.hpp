// Options of `starpath-lab --network`.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/nodes/slides.hpp"
#include "lab/nodes/work.hpp"

namespace starpath::apps {

struct NodesArguments {
  std::string network, workload, estimator, engine = "events";
  std::vector<std::string> policies, set, nodes, workers;
  std::vector<unsigned> windows;
  std::uint64_t seed = 1;
  double timeout = 3600;
  lab::Copies copies = lab::Copies::ahead;
  lab::SlideModel slides{.median_tiles = 60, .spread = 0.7};
  lab::SlideCosts slide_costs{.opening = 2, .exporting = 0.2};
  std::vector<std::string> hand_outs{"slides"};
  bool locality = false, no_reading = false, as_json = false, trace = false, list = false;
};

/// Help and options of the command, which fill `arguments`.
void add_nodes_options(CLI::App& app, NodesArguments& arguments);

}  // namespace starpath::apps
