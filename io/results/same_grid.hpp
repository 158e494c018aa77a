// Whether results describe the grid of a run.
#pragma once
#include "io/results/run_key.hpp"

namespace starpath::io {

/// Whether both are of one grid over slides of one size, with one resolution, region and list of features. Pure.
bool same_grid(const RunInfo& one, const RunInfo& other);

}  // namespace starpath::io
