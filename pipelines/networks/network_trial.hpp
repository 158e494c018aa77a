// A network on one made-up field: whether it gives what is described, how long that takes, and how far it looks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipelines/networks/scored_network.hpp"

namespace starpath {

/// Scores one field, of speckles in the colours of stained tissue. Throws Error{input}, one line with the file's name
/// and the message of make_network_instance() or ScoredNetwork::score(), and Error{usage} in a build that runs no
/// networks.
void try_network(const OnnxNetwork& network);

/// How far from an output's pixel the network looks.
struct NetworkReach {
  int pixels;   // at least so far
  bool is_all;  // as far as the field lets us see: perhaps farther
};

/// Changes all pixels that are farther than a distance from the middle of a field, and looks whether the middle of an
/// output changes; halves the distances. Throws as ScoredNetwork::outputs_of().
NetworkReach measured_reach(ScoredNetwork& network, const NetworkDescription& description);

struct NetworkReport {
  std::vector<std::string> outputs;  // "maps: 1x2x256x256", those of the maps
  std::int64_t bytes = 0;            // of memory, of each worker
  double field_seconds = 0;          // the second field, which allocates nothing any more
  NetworkReach reach = {};
};

/// Throws as try_network(), and where the margin is smaller than the reach.
NetworkReport check_network(const OnnxNetwork& network);

}  // namespace starpath
