// STARPATH_SPEEDUP_ERROR: estimates that are wrong in a controlled manner.
#include "sched_policies/options/injected_errors.hpp"

#include <algorithm>

#include "base/pure/random.hpp"

namespace starpath {

double injected_error(const SpeedupError& error, std::uint64_t task, ClassId id) {
  const std::uint64_t coin = mix64(mix64(error.seed + kGoldenStep) ^ mix64(task * kMaxDeviceClasses + id + 1));
  constexpr double least = 1e-3;  // a time of 0 would be an infinite speedup
  return (coin & 1U) != 0 ? 1 + error.fraction : std::max(1 - error.fraction, least);
}

void inject_errors(const SpeedupError& error, std::uint64_t task, const Machine& machine, Speedups& speedups,
                   ClassSeconds* seconds) {
  if (error.fraction == 0) return;
  const double base = machine.baseline() ? injected_error(error, task, *machine.baseline()) : 1;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    const double own = injected_error(error, task, id);
    if (const auto speedup = speedups.of(id)) speedups.set(id, *speedup * base / own);
    if (seconds != nullptr && (*seconds)[id]) *(*seconds)[id] *= own;
  }
}

}  // namespace starpath
