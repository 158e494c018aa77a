// The part of a run that needs StarPU.
#pragma once
#include <functional>

#include "apps/run/run_arguments.hpp"
#include "apps/run/run_outcome.hpp"

namespace starpath::apps {

/// Starts StarPU, runs `work` in it, and notes policy, workers and, if it was asked for, a record in the outcome.
void compute(const RunArguments& arguments, Outcome& outcome, const std::function<void()>& work);

}  // namespace starpath::apps
