// What a task costs on each part of the machine, for policies that plan in time.
#pragma once

#include <array>
#include <cstddef>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Memories beyond these count as one that holds everything: copies to them are taken to cost nothing.
inline constexpr std::size_t kMaxMemories = 16;

/// Estimates in seconds, as of when the task was queued. All are finite; a run time that is not known is nullopt.
struct TaskCosts {
  ClassSeconds seconds;                       ///< of running it
  std::array<double, kMaxMemories> copies{};  ///< of fetching what it reads, by memory; 0 or more

  double tail = 0;  ///< the longest chain of known tasks that wait for it, each where it is fastest

  double copy_to(MemoryId memory) const { return memory < kMaxMemories ? copies[memory] : 0; }
};

}  // namespace starpath
