// How long it takes to copy a task's data to each memory.
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

/// Estimates how long the copies of a task take, by StarPU's model of the buses. Not changed once it is made:
/// thread-safe.
class CopyCosts {
 public:
  explicit CopyCosts(const Machine& machine) {
    std::set<MemoryId> devices;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      const MemoryId memory = machine.memory_of(worker);
      if (machine.kind_of(worker) == DeviceKind::accelerator) {
        devices.insert(memory);
        constexpr double mebibyte = 1 << 20;
        const double microseconds =
            starpu_transfer_predict(memory, STARPU_MAIN_RAM, static_cast<std::size_t>(mebibyte));
        if (std::isfinite(microseconds)) home_ = std::max(home_, microseconds / mebibyte);
        const auto bytes = starpu_memory_get_total(memory);
        if (bytes > 0) smallest_ = std::min(smallest_, static_cast<double>(bytes));
      }
      if (memory >= worker_of_memory_.size()) worker_of_memory_.resize(memory + 1, worker);
      worker_of_memory_[memory] = worker;
    }
    // StarPU predicts a copy's time as if every device were copying in both directions meanwhile. Ours start ahead and
    // mostly one at a time, so it is taken back.
    alone_ = 1e-6 / (2 * std::max(1.0, static_cast<double>(devices.size())));
  }

  /// Whether there is anything to copy.
  bool several_memories() const { return worker_of_memory_.size() > 1; }

  /// Microseconds to copy what the task reads and the worker's memory does not have, as StarPU predicts it.
  double predicted(starpu_task& task, WorkerId worker) const {
    return several_memories() ? starpu_task_expected_data_transfer_time_for(&task, worker) : 0;
  }

  /// Sets `costs.copies` and `costs.back`, seconds, from StarPU's model of the buses, `costs.allocation` and
  /// `costs.fills`.
  void estimate(starpu_task& task, TaskCosts& costs) const {
    if (!several_memories()) return;
    costs.copies.fill(0);
    double bytes = 0, results = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)); ++i) {
      starpu_data_handle_t const handle = STARPU_TASK_GET_HANDLE(&task, i);
      const auto size = static_cast<double>(starpu_data_get_size(handle));
      bytes += size;
      if ((STARPU_TASK_GET_MODE(&task, i) & STARPU_W) != 0 && starpu_data_get_home_node(handle) >= 0) results += size;
    }
    costs.fills = bytes / smallest_;
    costs.back = results * home_ * alone_;
    for (std::size_t memory = 0; memory < std::min(worker_of_memory_.size(), kMaxMemories); ++memory) {
      const double microseconds = starpu_task_expected_data_transfer_time_for(&task, worker_of_memory_[memory]);
      if (std::isfinite(microseconds) && microseconds > 0) costs.copies[memory] = microseconds * alone_;
    }
    pinning(task, costs);
  }

 private:
  /// Seconds, by memory, to allocate what the task reads there and a device has, if main memory has no room for it yet:
  /// for main memory, and for devices that cannot copy directly. With CUDA such memory is pinned, which takes longer
  /// than the copy, and the thread of a GPU does it. Small data get parts of 32 MiB, which are pinned for the first of
  /// them.
  void pinning(starpu_task& task, TaskCosts& costs) const {
    // As StarPU measured and does it: its src/datawizard/malloc.c and malloc.h.
    constexpr double per_byte = 650e-6 / (1 << 20);
    constexpr std::size_t small = 4 << 20, chunk = 32 << 20;
#ifdef STARPU_HAVE_CUDA_MEMCPY_PEER
    constexpr std::size_t through = 1;
#else
    constexpr std::size_t through = kMaxMemories;
#endif
    costs.allocation.fill(0);
    if (starpu_cuda_worker_get_count() == 0) return;
    bool first = starpu_memory_get_used(STARPU_MAIN_RAM) == 0;
    for (unsigned i = 0; i < static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)); ++i) {
      if ((STARPU_TASK_GET_MODE(&task, i) & STARPU_R) == 0) continue;
      starpu_data_handle_t const handle = STARPU_TASK_GET_HANDLE(&task, i);
      int allocated = 0, valid = 0, loading = 0, requested = 0;
      starpu_data_query_status2(handle, STARPU_MAIN_RAM, &allocated, &valid, &loading, &requested);
      if (allocated != 0 || requested != 0) continue;
      std::size_t bytes = starpu_data_get_size(handle);
      if (bytes <= small && first) {
        bytes = chunk;
        first = false;
      }
      const double pins = static_cast<double>(bytes) * per_byte;
      costs.allocation[STARPU_MAIN_RAM] += pins;
      for (std::size_t memory = 1; memory < std::min(worker_of_memory_.size(), through); ++memory) {
        starpu_data_query_status2(handle, static_cast<int>(memory), &allocated, &valid, &loading, &requested);
        if (valid == 0 && requested == 0) costs.allocation[memory] += pins;
      }
    }
  }

  std::vector<WorkerId> worker_of_memory_;                     // one each
  double smallest_ = std::numeric_limits<double>::infinity();  // bytes of the smallest device memory that is known
  double home_ = 0;   // microseconds that StarPU says for a byte from a device, the slowest, to main memory
  double alone_ = 0;  // seconds of a copy alone for each microsecond that StarPU says
};

}  // namespace starpath
