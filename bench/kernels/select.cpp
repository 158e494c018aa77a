// Operation 7 on the benchmark tile.
#include "codelets/kernels/select.hpp"

#include <benchmark/benchmark.h>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void select(benchmark::State& state, decltype(cpu::select)* kernel) {
  Plane<std::uint8_t> selected;
  const ObjectStages& input = object_stages();
  const auto difference = stages().difference.view();
  for (auto _ : state) {
    kernel(context(), difference, input.seeds.view(), input.rbc.view(), kPaperPixels.nucleus_level,
           kPaperPixels.local_reach, kPaperPixels.local_weight, kPaperPixels.hole_max_area, selected.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(select, reference, reference::select)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(select, cpu, cpu::select)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
