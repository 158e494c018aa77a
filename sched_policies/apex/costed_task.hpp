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

/// How urgent a task is at its place, which runs the greater first.
struct Urgency {
  std::uint32_t critical = 0;  ///< rank_of the tail plus the shortest run time, if the tail is critical; else 0
  int priority = 0;
  std::uint32_t rank = 0;  ///< as `critical`, for any tail, on a machine where only the order is to be chosen; else 0
  bool local = false;      ///< its data are at its place, or their copies were started
  auto operator<=>(const Urgency&) const = default;
};

/// The copies that were started for a task, as Links gave them.
struct StartedCopies {
  double position = 0;  ///< of its link, when they are done, in estimated seconds; 0: there are none
  double alone = 0;     ///< estimated seconds of the copies of the task alone, without those back; 0: do not measure
  double at = 0;        ///< time when they started
  double least = 0;     ///< estimated seconds from then until they are done, behind others, if no other link copies
  double expected = 0;  ///< the same if the links that copy share the bus
};

/// A queued task and its costs: seconds of run time or of copies, estimated when it was queued, unless a field says
/// otherwise.
struct alignas(64) CostedTask : PolicyNode {
  // Set by CostedTasks when the task is queued.
  TaskRecord* task = nullptr;
  std::uint32_t type = 0;    ///< number of its group and the ratios of its run times
  std::size_t position = 0;  ///< TaskCosts::position
  double tail = 0;           ///< TaskCosts::tail; set again when that changes
  float back = 0;            ///< TaskCosts::back
  bool home = false;         ///< TaskCosts::home
  float fills = 0;           ///< TaskCosts::fills: a share of the smallest device memory
  // Set by Plan.
  float planned = 0;  ///< while it waits: of its copies, if they were not started
  Urgency urgency;
  PlaceId place = 0;           ///< where it is planned
  PlaceId fetched = kNowhere;  ///< where its copies were started to; set once they were
  bool waiting = false;        ///< it is in the queue of its place
  double work = 0;             ///< for which it keeps a worker of its place busy, waiting for copies included
  double ready = 0;            ///< time when memory should be allocated where its copies go
  StartedCopies started;       ///< those copies, as Links gave them
  boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> hook;  ///< in a queue
  std::array<float, kMaxDeviceClasses> seconds{};    ///< expected run time, by class; infinite: cannot run there
  std::array<float, kMaxDeviceClasses> estimates{};  ///< the run times that were estimated, by class; 0: guessed
  std::array<float, kMaxMemories> copies{};          ///< time to copy its input, by memory
  std::array<float, kMaxMemories> allocation{};      ///< TaskCosts::allocation; in a stream none of main memory
};

inline constexpr int kHighestRank = (1 << 19) - 1;  ///< of rank_of: 11 digits of the exponent and eight more
/// Of seconds, 0 or more, in their order: exponent and eight binary digits.
inline std::uint32_t rank_of(double seconds) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(seconds) >> 44);
}

}  // namespace starpath
