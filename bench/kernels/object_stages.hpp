// What operations 5 to 10 make of the benchmark tile: inputs for the benchmarks on objects.
#pragma once
#include <cstdint>

#include "bench/kernels/tile.hpp"

namespace starpath::bench {

struct ObjectStages {
  Plane<std::uint8_t> rbc, filled, seeds, selected, objects, nuclei;
  Plane<std::uint16_t> depth;
  Plane<std::int32_t> labels;
  std::int32_t count;
};

/// Made once by the CPU kernels.
const ObjectStages& object_stages();

}  // namespace starpath::bench
