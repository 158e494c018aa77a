// A queued task and what it costs on each part of the machine.
#pragma once
#include <array>
#include <bit>
#include <boost/intrusive/set_hook.hpp>
#include <compare>
#include <cstdint>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/planning/task_costs.hpp"

namespace starpath {

using PlaceId = unsigned;
inline constexpr PlaceId kNowhere = static_cast<PlaceId>(-1);

/// The order in which a place runs its tasks: the greater first. The *upward rank* of a task is the longest chain of
/// known tasks that begins with it, each where it is fastest.
struct Urgency {
  std::uint32_t rank = 0;  ///< the upward rank in steps of 1/256 to 1/512; 0: it does not count (Plan::ranked)
  int priority = 0;
  bool local = false;  ///< its data are at its place, or their copies were started
  auto operator<=>(const Urgency&) const = default;
};

/// The copies that were started for a task, in the terms of Links: seconds that they take alone by the estimate.
struct StartedCopies {
  double position = 0;  ///< 0: there are none
  double alone = 0;     ///< of the task alone
  double from = 0;      ///< the position of the link when they started
  double could = 0;     ///< for how long the link could have copied until then
  double at = 0;        ///< when they started
};

/// A queued task and its costs, in seconds.
struct alignas(64) CostedTask : PolicyNode {
  TaskRecord* task = nullptr;
  Urgency urgency;
  std::uint32_t kind = 0;      ///< of its group and the ratios of its run times
  std::size_t position = 0;    ///< TaskCosts::position
  PlaceId place = 0;           ///< where it is planned
  PlaceId fetched = kNowhere;  ///< where its copies were started to
  bool waiting = false;        ///< it is in the queue of its place
  double tail = 0;             ///< TaskCosts::tail
  double work = 0;             ///< for which it keeps a worker of its place busy, waiting for copies included
  StartedCopies started;       ///< to `fetched`, or to where it was handed out
  double ready = 0;            ///< when memory should be allocated there
  float least = 0;             ///< run time where it is fastest
  float planned = 0;           ///< while it waits: seconds of its copies, if they were not started
  float back = 0;              ///< TaskCosts::back
  float fills = 0;             ///< TaskCosts::fills
  boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> hook;  ///< in a queue
  std::array<float, kMaxDeviceClasses> seconds{};    ///< expected run time, by class; infinite: cannot run there
  std::array<float, kMaxDeviceClasses> estimates{};  ///< the run times that were estimated, by class
  std::array<float, kMaxMemories> copies{};          ///< time to copy its input, by memory
  std::array<float, kMaxMemories> allocation{};      ///< TaskCosts::allocation

  /// While it is in no queue. `ranked`: its upward rank counts.
  void set_tail(double longest, bool ranked) {
    tail = longest;
    const double upward_rank = ranked && tail > 0 ? least + tail : 0;
    // The bits of a number that is not negative sort as the number does. These are exponent and eight binary digits.
    urgency.rank = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(upward_rank) >> 44);
    urgency.priority = task->priority;
  }
};

}  // namespace starpath
