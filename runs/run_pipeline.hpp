// A run from its request to its result.
#pragma once
#include <optional>

#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"
#include "runs/run_result.hpp"
#include "runs/run_steps.hpp"

namespace starpath {

/// Takes the steps with this process alone, or as one rank of several when a launcher has started them: rank 0 hands
/// out the units and concludes, every rank computes. Returns nothing on ranks other than 0, for which rank 0 tells what
/// came of the run: they end with exit code 0. Throws what ends the run.
std::optional<RunResult> run_pipeline(const RunRequest& request, RunSteps& steps, RunListener& listener);

}  // namespace starpath
