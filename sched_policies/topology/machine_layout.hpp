// The cores and GPUs of a machine and where they sit, as hwloc sees them: of this machine or of a recorded one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sched_policies/topology/choose_cores.hpp"

namespace starpath {

struct CoreInfo {
  unsigned core;      // hwloc's logical number, as in STARPU_WORKERS_COREID
  unsigned pu;        // logical number of its first hardware thread, as in STARPU_WORKERS_CPUID
  unsigned os_cpu;    // the operating system's number of that thread
  Location location;  // NUMA node by the operating system's number, package by hwloc's logical one
};

struct GpuInfo {
  std::optional<unsigned> cuda_id;  // CUDA's number of it; nullopt when CUDA does not show it or is not there
  std::string pci_bus;              // like "0000:41:00.0"
  std::string model;                // empty when not known
  Location location;                // nullopt where the machine does not say
};

struct MachineLayout {
  bool this_machine = true;
  unsigned numa_nodes = 0;
  unsigned packages = 0;
  std::vector<CoreInfo> cores;  // those that this process may use, by logical number
  std::vector<GpuInfo> gpus;    // NVIDIA's: by CUDA number, then those without one by PCI bus
};

/// Reads the machine that this program runs on, or the hwloc XML file `xml` if it is not empty. CUDA's numbers of the
/// GPUs come from hwloc's CUDA devices, or else, for this machine, from the CUDA driver if there is one. CUDA does not
/// number GPUs by PCI bus. Throws Error{input} when the file cannot be read, Error{runtime} when hwloc cannot read this
/// machine.
MachineLayout read_machine_layout(const std::string& xml);

}  // namespace starpath
