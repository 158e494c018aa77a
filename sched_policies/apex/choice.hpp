// What a rule of apex finds for a worker.
#pragma once
#include <cstdint>
#include <limits>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/places.hpp"

namespace starpath {

/// The task that a worker should take, if any, and the best of those that it should leave.
struct Choice {
  CostedTask* task = nullptr;
  CostedTask* refused = nullptr;                           ///< the best of the tasks that another place should have
  PlaceId better = 0;                                      ///< that place
  double until = std::numeric_limits<double>::infinity();  ///< when that place would have finished it
};

/// How good a task is for the worker that asks. Compared member by member in this order; the older of equals is better.
struct Merit {
  unsigned tier = 0;
  double level = -std::numeric_limits<double>::infinity();
  double upward_rank = 0;
  int priority = 0;
  std::uint64_t sequence = 0;

  bool operator<(const Merit& other) const {
    if (tier != other.tier) return tier < other.tier;
    if (level != other.level) return level < other.level;
    if (upward_rank != other.upward_rank) return upward_rank < other.upward_rank;
    if (priority != other.priority) return priority < other.priority;
    return sequence > other.sequence;
  }
};

}  // namespace starpath
