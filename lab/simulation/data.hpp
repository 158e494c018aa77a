// The data of a simulated workload: StarPU moves them, nobody computes on them.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <vector>

#include "lab/workload.hpp"

namespace starpath::lab {

/// Registers a workload's data with StarPU and releases them as programs do: results go home as soon as they are there,
/// and data that nobody needs any more leave memory. Used by the one thread that submits.
///
/// StarPU takes the data of a task in the order of their handles' addresses. These rise with the data's numbers here,
/// so that no simulation depends on what the heap looked like.
class SimulatedData {
 public:
  /// The data that these tasks [first, last) of the workload touch, and no others do. The workload must outlive it.
  SimulatedData(const Workload& workload, std::size_t first, std::size_t last);
  SimulatedData(const SimulatedData&) = delete;
  SimulatedData& operator=(const SimulatedData&) = delete;

  starpu_data_handle_t handle(unsigned data) const { return items_[data - lowest_].handle; }
  /// The task has been submitted: data that it is the last to touch are let go of.
  void submitted(std::size_t task);
  /// Waits until every result is in main memory. All tasks must have been submitted.
  void wait_for_results();

 private:
  struct Item {
    SimulatedData* owner = nullptr;
    starpu_data_handle_t handle = nullptr;
    bool used = false;          // by one of the tasks
    bool at_home = false;       // input or result: in main memory at the beginning or the end
    bool is_result = false;     // nobody reads it after its last writer
    std::size_t last_task = 0;  // that touches it
  };

  static void came_home(void* item);
  std::size_t bytes(std::size_t item) const;
  void find_uses(std::size_t first, std::size_t last);
  void register_all();

  const Workload& workload_;
  unsigned lowest_ = 0;  // number of the first of items_ in the workload
  std::vector<Item> items_;
  unsigned results_away_ = 0;
  starpu_pthread_mutex_t mutex_;
  starpu_pthread_cond_t came_home_;
};

}  // namespace starpath::lab
