// Operation 4 and reconstruction on the benchmark tile. OpenCV has no reconstruction.
#include "codelets/kernels/reconstruct.hpp"

#include <benchmark/benchmark.h>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void recon_to_nuclei(benchmark::State& state, decltype(cpu::recon_to_nuclei)* kernel) {
  Plane<std::uint8_t> difference;
  const Stages& input = stages();
  for (auto _ : state) {
    kernel(context(), input.inverted.view(), input.opened.view(), kPaperPixels.reconstruction_steps, difference.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(recon_to_nuclei, reference, reference::recon_to_nuclei)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(recon_to_nuclei, cpu, cpu::recon_to_nuclei)->Unit(benchmark::kMillisecond);

/// h-maxima of the difference on 16 bits, which is how the pre-watershed uses reconstruction.
void reconstruct_u16(benchmark::State& state, decltype(cpu::reconstruct_u16)* kernel, Connectivity connectivity) {
  Plane<std::uint16_t> mask, marker, out;
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x) {
      const int value = stages().difference.view().at(x, y) * 16;
      mask.view().at(x, y) = static_cast<std::uint16_t>(value);
      marker.view().at(x, y) = static_cast<std::uint16_t>(std::max(0, value - 256));
    }
  for (auto _ : state) {
    kernel(context(), marker.view(), mask.view(), connectivity, out.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(reconstruct_u16, reference, reference::reconstruct_u16, Connectivity::eight)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(reconstruct_u16, cpu, cpu::reconstruct_u16, Connectivity::eight)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reconstruct_u16, cpu_four, cpu::reconstruct_u16, Connectivity::four)->Unit(benchmark::kMillisecond);

/// To the limit, as the publications define operation 4.
void reconstruct_u8(benchmark::State& state, decltype(cpu::reconstruct_u8)* kernel, Connectivity connectivity) {
  Plane<std::uint8_t> out;
  const Stages& input = stages();
  for (auto _ : state) {
    kernel(context(), input.opened.view(), input.inverted.view(), connectivity, out.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(reconstruct_u8, cpu, cpu::reconstruct_u8, Connectivity::eight)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reconstruct_u8, cpu_four, cpu::reconstruct_u8, Connectivity::four)->Unit(benchmark::kMillisecond);

/// Objects of the difference that hold a candidate for a seed.
void reconstruct_binary(benchmark::State& state, decltype(cpu::reconstruct_binary)* kernel) {
  Plane<std::uint8_t> marker, mask, out;
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x) {
      const int value = stages().difference.view().at(x, y);
      marker.view().at(x, y) = value > 80 ? 255 : 0;
      mask.view().at(x, y) = value > 45 ? 255 : 0;
    }
  for (auto _ : state) {
    kernel(context(), marker.view(), mask.view(), Connectivity::eight, out.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(reconstruct_binary, cpu, cpu::reconstruct_binary)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
