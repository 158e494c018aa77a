// A worker of each device class, which stands for all workers of the class.
#pragma once
#include <starpu.h>

#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// By class of the machine.
struct ClassWorkers {
  explicit ClassWorkers(const Machine& machine) : all(machine.classes().size()) {
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) all[machine.class_of(worker)].push_back(worker);
    for (const auto& workers : all) types.push_back(starpu_worker_get_type(static_cast<int>(workers.front())));
  }

  std::vector<std::vector<WorkerId>> all;     // never none
  std::vector<starpu_worker_archtype> types;  // of the first one
};

}  // namespace starpath
