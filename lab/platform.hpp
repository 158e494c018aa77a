// What StarPU and SimGrid need to know of a machine, as the files that they read.
#pragma once

#include <filesystem>
#include <string>

#include "lab/machine.hpp"

namespace starpath::lab {

/// SimGrid's platform: a host a core and a device, a link each way between a device and main memory, and one link that
/// all transfers share. Devices reach each other through main memory.
std::string simgrid_platform(const LabMachine& machine);

/// Writes the machine's files of StarPU's performance-model folder under `folder`, for the host name `machine.name`:
/// the programs then run with STARPU_HOSTNAME=NAME STARPU_PERF_MODEL_DIR=folder. `nodes` is StarPU's STARPU_MAXNODES.
/// Throws Error (output).
void write_platform(const LabMachine& machine, const std::filesystem::path& folder, unsigned nodes);

}  // namespace starpath::lab
