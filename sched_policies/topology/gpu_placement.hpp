// Which core drives which GPU, from the environment to StarPU, for the commands that print it or run by it.
#pragma once
#include <functional>
#include <string>

#include "sched_policies/topology/worker_binding.hpp"

namespace starpath {

/// Hears a line about what cannot be followed.
using PlacementReport = std::function<void(const std::string& line)>;

/// What STARPATH_PLACEMENT asks for. A value that is not allowed is reported and counts as not set.
Placement asked_placement(const PlacementReport& report);

struct GpuPlacement {
  MachineLayout machine;
  Placement placement;
  std::vector<std::optional<std::size_t>> cores;  // as place_gpus gives them
  WorkerBinding binding;
};

/// `xml`: as in read_machine_layout. Throws as that does.
GpuPlacement plan_gpu_placement(Placement placement, const std::string& xml);

/// Makes the StarPU that this process starts next place its GPU drivers as asked. Without a GPU it changes nothing.
void apply_gpu_placement(const PlacementReport& report);

}  // namespace starpath
