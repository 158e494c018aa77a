// What is estimated of one task.
#pragma once
#include <array>
#include <optional>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// By class of the machine; nullopt: not known.
struct TaskEstimates {
  Speedups speedups = {};  ///< over the baseline class
  ClassSeconds seconds = {};
  ClassSet never_known;  ///< no sample will tell its time there: it need not run there to find out
  std::array<double, kMaxDeviceClasses> over_model{};  ///< TimeEstimate::over_model, of what gave `seconds`
};

/// `seconds` if a task can take so long: from a picosecond to a billion seconds (30 years). Anything else is no time,
/// but a wrong number of a model, and counts as not known: NaN, infinity, 0, and numbers whose sums or ratios would be
/// none.
inline std::optional<double> known(std::optional<double> seconds) {
  constexpr double shortest = 1e-12, longest = 1e9;
  return seconds && *seconds >= shortest && *seconds <= longest ? seconds : std::nullopt;
}

/// Sets `found` to what follows from `fastest_on(id)`: seconds on each class. What is never known stays as it is.
template <class Fastest>
void collect(const Machine& machine, Fastest fastest_on, TaskEstimates& found) {
  found = {.speedups = {}, .seconds = {}, .never_known = found.never_known, .over_model = {}};
  for (ClassId id = 0; id < machine.classes().size(); ++id) found.seconds[id] = known(fastest_on(id));
  const auto base = machine.baseline() ? found.seconds[*machine.baseline()] : std::nullopt;
  if (!base) return;
  found.speedups.set_baseline(*base);
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (const auto time = found.seconds[id]) found.speedups.set(id, *base / *time);
  }
}

}  // namespace starpath
