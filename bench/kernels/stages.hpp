// What the first operations make of the benchmark tile: inputs for the benchmarks of the later ones.
#pragma once
#include "bench/kernels/tile.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::bench {

struct Stages {
  Plane<std::uint8_t> inverted, opened, difference;
};

/// Made once by the CPU kernels.
const Stages& stages();

/// The context of the benchmarks, with one scratch memory for all, as a worker has.
const KernelContext& context();

}  // namespace starpath::bench
