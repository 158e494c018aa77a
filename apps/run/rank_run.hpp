// A run as one rank of several: rank 0 hands out tiles and merges, every rank computes.
#pragma once
#include "apps/run/run_arguments.hpp"
#include "apps/run/slide_pipeline.hpp"

namespace starpath::apps {

/// Returns the exit code.
int run_as_rank(RunArguments& arguments, SlidePipeline& pipeline);

}  // namespace starpath::apps
