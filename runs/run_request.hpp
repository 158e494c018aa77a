// What a user asks of every run.
#pragma once
#include <string>
#include <vector>

#include "pipelines/run/starpu_session.hpp"

namespace starpath {

/// Streams of pixels between ranks.
struct StreamsAsked {
  std::string policy;  ///< a name of mpi::kStreamPolicies; empty: tiles are handed out, pixels stay where they are
  int readers = 0;     ///< ranks that read; 0: every rank

  bool wanted() const { return !policy.empty(); }
};

/// What a user asks of a run. The command line fills it in; from then on it is only read.
struct RunRequest {
  std::string input;  ///< a slide; empty in a study, which has many
  std::string out;
  SessionOptions session;
  std::string roi;  ///< x,y,width,height, or of segment a file with regions (pipelines/run/roi.hpp); empty: all
  std::vector<std::string> exports;
  bool resume = false, overwrite = false, json = false, quiet = false;
  double patience = 60;  ///< seconds after which a silent rank is lost
  std::string record;    ///< file to leave for a comparison; empty: none
  StreamsAsked streams;
};

}  // namespace starpath
