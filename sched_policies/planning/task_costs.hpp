// What a task costs on each part of the machine, for policies that plan in time.
#pragma once
#include <array>
#include <cstddef>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Copies to memories beyond these are assumed to cost nothing.
inline constexpr std::size_t kMaxMemories = 16;

/// Estimates in seconds, as of when the task was queued. All are finite.
struct TaskCosts {
  ClassSeconds seconds;                       ///< to run it; nullopt: not known
  ClassSet guessed = {};                      ///< where that is a guess, which nobody measured (Guesses)
  std::array<double, kMaxMemories> copies{};  ///< to copy its input, by memory; 0 or more

  double back = 0;  ///< to copy the results that have a home in main memory there, from a device

  std::array<double, kMaxMemories> allocation{};  ///< to allocate main memory that its input comes through, by memory

  double fills = 0;  ///< the share of the smallest device memory that its data take

  bool home = false;  ///< its results are needed in main memory next

  double tail = 0;  ///< the longest chain of known tasks that wait for it, by their means

  std::size_t position = 0;  ///< in the order of submission, from 1; 0: not known

  double copy_to(MemoryId memory) const { return memory < kMaxMemories ? copies[memory] : 0; }
};

}  // namespace starpath
