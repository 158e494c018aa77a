// A run of a pipeline over a slide, from its arguments to its exit code.
#pragma once
#include "apps/run/run_arguments.hpp"
#include "apps/run/slide_pipeline.hpp"

namespace starpath::apps {

/// With this process alone, or as one rank of several when a launcher has started them. Returns the exit code
/// (docs/robustness.md).
int run_pipeline(RunArguments& arguments, SlidePipeline& pipeline);

}  // namespace starpath::apps
