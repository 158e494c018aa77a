// What it takes to copy a task's data to each memory.
#pragma once
#include <starpu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/planning/task_costs.hpp"

namespace starpath {

class CopyCosts {
 public:
  explicit CopyCosts(const Machine& machine) {
    std::set<MemoryId> devices;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      const MemoryId memory = machine.memory_of(worker);
      if (machine.kind_of(worker) == DeviceKind::accelerator) {
        devices.insert(memory);
        const auto bytes = starpu_memory_get_total(memory);
        if (bytes > 0) smallest_ = std::min(smallest_, static_cast<double>(bytes));
      }
      if (memory >= worker_of_memory_.size()) worker_of_memory_.resize(memory + 1, worker);
      worker_of_memory_[memory] = worker;
    }
    // StarPU predicts a copy's time as if every device were copying in both directions meanwhile. Ours start ahead and
    // mostly one at a time, so it is taken back.
    alone_ = (getenv("STARPATH_APEX_COPY") ? 1e-6 * atof(getenv("STARPATH_APEX_COPY")) : 1e-6) /
             (2 * std::max(1.0, static_cast<double>(devices.size())));
  }

  /// Whether there is anything to copy.
  bool several_memories() const { return worker_of_memory_.size() > 1; }

  /// Sets `costs.copies`, seconds, from StarPU's model of the buses.
  void estimate(starpu_task& task, TaskCosts& costs) const {
    if (!several_memories()) return;
    costs.copies.fill(0);
    double bytes = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)); ++i)
      bytes += static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(&task, i)));
    costs.fills = bytes / smallest_;
    for (std::size_t memory = 0; memory < std::min(worker_of_memory_.size(), kMaxMemories); ++memory) {
      const double microseconds = starpu_task_expected_data_transfer_time_for(&task, worker_of_memory_[memory]);
      if (std::isfinite(microseconds) && microseconds > 0) costs.copies[memory] = microseconds * alone_;
    }
  }

 private:
  std::vector<WorkerId> worker_of_memory_;                     // one each
  double smallest_ = std::numeric_limits<double>::infinity();  // bytes of the smallest device memory that is known
  double alone_ = 0;  // seconds of a copy alone for each microsecond that StarPU says
};

}  // namespace starpath
