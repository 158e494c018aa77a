// STARPATH_LOCALITY: which queued tasks could reuse data that an accelerator's memory holds.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "sched_policies/adapter/reservable_task.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/locality.hpp"

namespace starpath {

/// Queued tasks by the data they read, and for each memory node a few that may find data there. Bounded work a call,
/// whatever is queued. Calls are serialised by the context's lock. StarPU says where data is as a hint: data may come
/// and go at any time, which costs a transfer and nothing else.
class DataReuse {
 public:
  explicit DataReuse(const Machine& machine);

  /// `record` was queued; its generation is set.
  void queued(ReservableTask& record);

  /// `worker` was handed `task`: its memory node will hold the data that `task` touches.
  void handed_out(WorkerId worker, starpu_task& task);

  /// Bytes of the task's input that the memory node of `worker` holds or is about to.
  static std::size_t bytes(WorkerId worker, starpu_task& task);

  /// What `worker` would get out of the task of `record`.
  ReuseOffer offer(WorkerId worker, ReservableTask& record) const;

  /// The candidates of the worker's memory node that are still queued. Holds until the next call.
  const std::vector<ReservableTask*>& candidates(WorkerId worker);

 private:
  /// A record is used for one task after another: the generation tells whether it is still this one's.
  struct Entry {
    ReservableTask* record;
    std::uint32_t generation;
    bool live() const { return record->generation == generation; }
  };
  void add_candidate(unsigned node, const Entry& entry);

  const Machine& machine_;
  std::vector<unsigned> nodes_;  // of accelerators, each once
  std::unordered_map<starpu_data_handle_t, std::deque<Entry>> readers_;
  std::vector<std::deque<Entry>> candidates_;  // by memory node; the newest at the back
  std::vector<ReservableTask*> found_;
};

}  // namespace starpath
