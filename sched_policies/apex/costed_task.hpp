// A queued task and what it costs on each part of the machine.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <utility>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/planning/task_costs.hpp"

namespace starpath {

struct CostedTask;

/// Tasks with equal keys, linked in order of arrival.
struct TaskLine {
  CostedTask* first = nullptr;
  CostedTask* last = nullptr;
};

/// A task's link in an OrderedTasks. A task that was inserted out of order links to itself.
template <class Key>
struct TaskLink {
  CostedTask* previous = nullptr;
  CostedTask* next = nullptr;
  typename std::pmr::map<Key, TaskLine>::iterator line;
};

using AgeKey = long;                                  // minus the priority
using UpwardRankKey = std::pair<std::uint32_t, int>;  // level of the upward rank, priority

/// A queued task and its costs, in seconds. The *upward rank* of a task is the length of the longest chain of known
/// tasks that begins with it, where each task runs where it is fastest.
struct alignas(64) CostedTask : PolicyNode {
  TaskRecord* task = nullptr;
  double upward_rank = 0;
  float least = 0;      ///< run time where it is fastest
  float cheapest = 0;   ///< run time and copies where their sum is least
  double left_at = -1;  ///< when a worker first left it to another; below 0: none did
  std::uint32_t bucket = 0;
  bool waiting = false;    ///< it is in its bucket
  bool fetching = false;   ///< it is reserved, and its copies are not under way yet
  std::uint8_t level = 0;  ///< of its upward rank in WorkByUpwardRank, while it waits
  TaskLink<AgeKey> by_age;
  TaskLink<UpwardRankKey> by_upward_rank;
  std::array<float, kMaxDeviceClasses> seconds{};          ///< expected run time, by class; infinite: cannot run there
  std::array<std::int8_t, kMaxDeviceClasses> corrected{};  ///< as EstimateErrors::Expected::corrected, by class
  std::array<float, kMaxMemories> copies{};                ///< time to copy its input, by memory
};

static_assert(sizeof(CostedTask) == 192, "long queues are cold: a costed task is three cache lines");

}  // namespace starpath
