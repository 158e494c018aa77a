// What is estimated of one task.
#pragma once
#include <array>
#include <cmath>
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

/// `estimate` if it is a positive, finite number: anything else counts as not known.
inline std::optional<double> known(std::optional<double> estimate) {
  return estimate && std::isfinite(*estimate) && *estimate > 0 ? estimate : std::nullopt;
}

/// Sets `found` to what follows from `fastest_on(id)`: seconds on each class. What is never known stays as it is.
template <class Fastest>
void collect(const Machine& machine, Fastest fastest_on, TaskEstimates& found) {
  found = {.speedups = {}, .seconds = {}, .never_known = found.never_known, .over_model = {}};
  for (ClassId id = 0; id < machine.classes().size(); ++id) found.seconds[id] = known(fastest_on(id));
  const auto base = machine.baseline() ? found.seconds[*machine.baseline()] : std::nullopt;
  if (!base) return;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    const auto time = found.seconds[id];
    if (const auto speedup = time ? known(*base / *time) : std::nullopt) found.speedups.set(id, *speedup);
  }
}

}  // namespace starpath
