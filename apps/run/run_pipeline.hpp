// A run from its request to its exit code.
#pragma once
#include "apps/run/run_request.hpp"
#include "apps/run/run_steps.hpp"

namespace starpath::apps {

/// Takes the steps with this process alone, or as one rank of several when a launcher has started them: rank 0 hands
/// out the units and concludes, every rank computes. Returns the exit code (docs/robustness.md).
int run_pipeline(const RunRequest& request, RunSteps& steps);

}  // namespace starpath::apps
