// What each operation makes of the benchmark tile: inputs for the benchmarks of the later ones.
#pragma once
#include <cstdint>

#include "bench/kernels/tile.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::bench {

/// Of operations 3 and 4.
struct Stages {
  Plane<std::uint8_t> inverted, opened, difference;
};
/// Of operations 2 and 5 to 10.
struct ObjectStages {
  Plane<std::uint8_t> rbc, filled, seeds, selected, objects, nuclei;
  Plane<std::uint16_t> depth;
  Plane<std::int32_t> labels;
  std::int32_t count;
};

/// Made once by the CPU kernels.
const Stages& stages();
const ObjectStages& object_stages();

/// The context of the benchmarks, with one scratch memory for all, as a worker has.
const KernelContext& context();

}  // namespace starpath::bench
