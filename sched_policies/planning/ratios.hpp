// Ratios of a task's run times, by which task types are told apart.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Run times over the shortest one, by class, in steps of a seventh to a quarter.
using Ratios = std::array<std::uint8_t, kMaxDeviceClasses>;

/// Of a ratio of 1 or more; infinite: where the task cannot run.
inline std::uint8_t step_of(double ratio) {
  // The bits of a positive number sort as it does. These are its exponent and two binary digits, rounded.
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(ratio)) + (1U << 20);
  return static_cast<std::uint8_t>(std::min((bits >> 21) - (127U << 2), 255U));
}

}  // namespace starpath
