// Which core drives which GPU: a choice by distance, made without knowing how machines are discovered.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sched_policies/options/placement.hpp"

namespace starpath {

/// Where something sits. What is not known, or not one place, is nullopt.
struct Location {
  std::optional<unsigned> numa_node;
  std::optional<unsigned> package;
};

/// How many boundaries lie between a core and a GPU: one if their NUMA nodes differ, one more if their packages do.
/// What is not known separates nothing.
unsigned distance(const Location& core, const Location& gpu);

/// For each GPU the index of its core in `cores`. No core is taken twice; where there are too few, the last
/// GPUs have nullopt, and under `os` all have. `closest` makes the sum of the distances over all GPUs as small as it
/// can be, `worst` as large; among equal sums low cores are preferred, and the lower of two cores goes to the earlier
/// GPU. The same input gives the same answer. Time: GPUs squared x cores. Source: hybrid-pipelines-2012 section IV-A.
std::vector<std::optional<std::size_t>> choose_cores(const std::vector<Location>& gpus,
                                                     const std::vector<Location>& cores, Placement placement);

}  // namespace starpath
