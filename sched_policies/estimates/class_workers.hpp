// A worker of each device class, which stands for all of them.
#pragma once
#include <starpu.h>

#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// By class of the machine.
struct ClassWorkers {
  explicit ClassWorkers(const Machine& machine) : first(machine.classes().size()), types(first.size()) {
    for (auto worker = static_cast<WorkerId>(machine.workers()); worker-- > 0;) {
      first[machine.class_of(worker)] = worker;
      types[machine.class_of(worker)] = starpu_worker_get_type(static_cast<int>(worker));
    }
  }

  std::vector<WorkerId> first;
  std::vector<starpu_worker_archtype> types;
};

}  // namespace starpath
