// A queued task that a worker may reserve ahead of time.
#pragma once
#include <cstdint>

#include "sched_policies/adapter/queued_task.hpp"

namespace starpath {

struct ReservableTask : QueuedTask {
  enum class State : std::uint8_t {
    kept,      ///< by ReadyTasks: nobody could run it, or its run time is to be found out
    queued,    ///< in the policy's queue
    reserved,  ///< out of the policy's queue, held for a worker
    gone,      ///< its task was handed out past the policy's queue, which still holds the record
  };

  State state = State::queued;
  bool fetched = false;  ///< its transfers were started ahead
  /// A record is used for one task after another. This differs for each of them, and is 0 once the task was handed out.
  std::uint32_t generation = 0;
};

static_assert(sizeof(ReservableTask) == sizeof(QueuedTask));

}  // namespace starpath
