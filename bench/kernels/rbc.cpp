// Operation 2 on the benchmark tile. OpenCV has nothing like it.
#include "codelets/kernels/rbc.hpp"

#include <benchmark/benchmark.h>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void rbc(benchmark::State& state, decltype(cpu::rbc)* kernel) {
  Plane<std::uint8_t> mask;
  const RgbView rgb = tile().view();
  for (auto _ : state) {
    kernel(context(), rgb, kPaperPixels.red_high, kPaperPixels.red_low, 0, mask.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(rbc, reference, reference::rbc)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rbc, cpu, cpu::rbc)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
