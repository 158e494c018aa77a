// Loops for the tests of schedules.
#pragma once
#include <cstddef>

#include "loops/schedule.hpp"

namespace starpath::loops {

inline constexpr std::size_t kMillion = 1000000;

inline LoopSetup setup_of(std::size_t iterations, std::size_t processors, std::size_t initial) {
  LoopSetup setup{.iterations = iterations, .processors = {}};
  setup.processors.assign(processors, {.initial_block = initial, .block_factor = 1});
  return setup;
}

}  // namespace starpath::loops
