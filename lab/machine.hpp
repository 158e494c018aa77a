// Simulated machines: cores, accelerators by class, the links between them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "lab/model_file.hpp"

namespace starpath::lab {

enum class AcceleratorKind { gpu, mic };

/// Accelerators of one model: one device class.
struct Accelerator {
  std::string model;  ///< the device's name as StarPU sees it
  AcceleratorKind kind = AcceleratorKind::gpu;
  unsigned count = 0;
  double memory_bytes = 0;
  double memory_bandwidth = 0;  ///< of the device's own memory, GB/s; the device's speed is scaled by it
  double to_device = 0;         ///< bytes a second from main memory
  double from_device = 0;
  double latency = 0;  ///< seconds a transfer takes before its first byte
};

/// A machine. Class 0 is the cores; class 1 + i is accelerators[i].
struct LabMachine {
  std::string name;
  std::string about;
  unsigned cores = 0;         ///< one of them drives each accelerator and computes nothing itself
  unsigned full_cores = 0;    ///< as the file says, when `cores` was made fewer
  double core_speed = 0;      ///< of one core, 1 being a core of the machine `anthill`
  double efficiency = 1;      ///< the part of a core's speed that is left when all of them compute
  double host_bandwidth = 0;  ///< bytes a second that all transfers together cannot exceed
  std::vector<Accelerator> accelerators;

  unsigned cpu_workers() const { return cores - devices(); }
  unsigned devices() const;
  std::size_t classes() const { return 1 + accelerators.size(); }
  /// Workers by class.
  std::vector<unsigned> workers() const;
  /// "cpu", then the models.
  std::vector<std::string> class_names() const;
};

/// Reads a machine. Throws Error (input), "FILE:LINE: reason".
LabMachine read_machine(ModelFile file);

/// The machine with fewer workers, for experiments. `workers` are by class, and empty for the machine as it is; a class
/// left without workers stays a class. Throws Error (usage) when there are not so many.
LabMachine with_workers(LabMachine machine, const std::vector<unsigned>& workers);

}  // namespace starpath::lab
