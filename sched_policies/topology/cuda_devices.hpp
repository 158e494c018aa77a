// CUDA's numbering of the GPUs.
#pragma once
#include <string>
#include <vector>

namespace starpath {

/// PCI buses of the devices that CUDA shows to this process, by CUDA number, in small letters. Empty without a driver,
/// without GPUs, or where the driver does not start.
std::vector<std::string> cuda_pci_buses();

}  // namespace starpath
