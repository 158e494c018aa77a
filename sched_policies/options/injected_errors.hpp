// STARPATH_SPEEDUP_ERROR: estimates that are wrong in a controlled manner.
#pragma once
#include <cstdint>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// By what an estimated time of the task on the class is multiplied: 1 plus or minus the fraction of `error`, with
/// equal chance, and 0.001 at least. It depends on the seed, the task and the class alone, so runs repeat.
double injected_error(const SpeedupError& error, std::uint64_t task, ClassId id);

/// Makes the times of a task wrong, on each class apart, the one that speedups are relative to included. Speedups are
/// those of the wrong times. `seconds` may be nullptr.
/// Source: edc-2014 section V-D, whose errors are those of times, and whose speedups are derived from times with
/// errors.
void inject_errors(const SpeedupError& error, std::uint64_t task, const Machine& machine, Speedups& speedups,
                   ClassSeconds* seconds);

}  // namespace starpath
