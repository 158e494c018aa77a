// The description of a machine for StarPU and SimGrid, as the files that they read.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lab/machine.hpp"

namespace starpath::lab {

/// SimGrid's platform: a host a core and a device, a link each way between a device and main memory, and one link that
/// all transfers share. Devices reach each other through main memory.
std::string simgrid_platform(const LabMachine& machine);

/// Machines for StarPU-MPI in SMPI: hosts node0, node1, … for the processes, and each node's machine as
/// above. A switch without a limit connects the hosts. Each host has a link of `bandwidth` (bytes a second, each way),
/// and a message takes `latency` seconds from host to host. No link leads from one node's memories to another's: MPI
/// does that.
std::string simgrid_nodes(const std::vector<LabMachine>& nodes, double bandwidth, double latency);

/// SimGrid's settings, name and value, under which flows have exactly the links' bandwidth and latency.
/// simgrid_platform() contains them; a program on several nodes is given them.
const std::vector<std::pair<std::string, std::string>>& simgrid_flows();

/// Writes the machine's files of StarPU's performance-model folder under `folder`, for the host name `machine.name`:
/// the programs then run with STARPU_HOSTNAME=NAME STARPU_PERF_MODEL_DIR=folder. `nodes` is StarPU's STARPU_MAXNODES.
/// Throws Error (output).
void write_platform(const LabMachine& machine, const std::filesystem::path& folder, unsigned nodes);

}  // namespace starpath::lab
