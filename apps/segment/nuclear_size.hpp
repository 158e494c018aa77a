// Whether the nuclei that were found have the size of nuclei.
#pragma once
#include "apps/run/run_outcome.hpp"
#include "io/results/result_store.hpp"

namespace starpath::apps {

/// Adds a warning when the median nucleus is smaller or larger than those of tissue are: then the resolution is wrong,
/// or what was found are no nuclei. Does nothing where nuclei are too few to tell.
void check_nuclear_size(const io::ResultStore& store, Outcome& outcome);

}  // namespace starpath::apps
