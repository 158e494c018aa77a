// A placement as StarPU takes it: the environment variables that put each GPU's driving thread on its core.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sched_policies/topology/choose_cores.hpp"
#include "sched_policies/topology/machine_layout.hpp"

namespace starpath {

/// A core for each GPU of `layout` that CUDA numbers, or, on a recorded machine where none is numbered, for each GPU.
/// Indices into layout.cores, in the order of layout.gpus.
std::vector<std::optional<std::size_t>> place_gpus(const MachineLayout& layout, Placement placement);

using EnvironmentVariable = std::pair<std::string, std::string>;

struct WorkerBinding {
  std::vector<EnvironmentVariable> variables;  // to be set before starpu_init; none when StarPU shall choose
  std::string reason;                          // why there are none: one clause
};

/// The environment variables for StarPU. It numbers CUDA workers before CPU workers and binds worker after worker to
/// the threads that STARPU_WORKERS_CPUID lists, so the GPUs' cores come first, by CUDA number, and then all others for
/// the CPU workers. STARPU_WORKERS_CUDAID keeps it from choosing cores for GPUs by measurements of the buses. Nothing
/// is set if the user has set a variable of StarPU that decides about binding. `variable(name)` returns a variable's
/// value or nullptr.
WorkerBinding bind_workers(const MachineLayout& layout, const std::vector<std::optional<std::size_t>>& chosen,
                           Placement placement, const std::function<const char*(const char*)>& variable);

}  // namespace starpath
