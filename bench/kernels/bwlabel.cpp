// Operation 10 on the benchmark tile.
#include "codelets/kernels/bwlabel.hpp"

#include <benchmark/benchmark.h>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void bwlabel(benchmark::State& state, decltype(cpu::bwlabel)* kernel) {
  Plane<std::int32_t> labels;
  const auto nuclei = object_stages().nuclei.view();
  std::int32_t count = 0;
  for (auto _ : state) {
    kernel(context(), nuclei, kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area, labels.view(), &count);
    benchmark::ClobberMemory();
  }
  state.counters["nuclei"] = count;
}
BENCHMARK_CAPTURE(bwlabel, reference, reference::bwlabel)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(bwlabel, cpu, cpu::bwlabel)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
