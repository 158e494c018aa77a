// A task's gain: what accelerators make of it.
#pragma once
#include <algorithm>
#include <optional>

#include "sched_policies/core/policy.hpp"

namespace starpath {

/// The highest known speedup of `task` over the accelerator classes that may run it and that `counts(id)` is true of.
template <class Counts>
std::optional<double> gain_of(const TaskRecord& task, PolicyEnvironment environment, Counts counts) {
  std::optional<double> gain;
  const auto& classes = environment.machine.classes();
  for (ClassId id = 0; id < classes.size(); ++id) {
    if (classes[id].kind != DeviceKind::accelerator || !environment.eligibility.has_class(task.group, id)) continue;
    if (!counts(id)) continue;
    if (const auto speedup = task.speedups.of(id)) gain = gain ? std::max(*gain, *speedup) : *speedup;
  }
  return gain;
}

/// The highest over all accelerator classes that may run it.
inline std::optional<double> gain_of(const TaskRecord& task, PolicyEnvironment environment) {
  return gain_of(task, environment, [](ClassId) { return true; });
}

}  // namespace starpath
