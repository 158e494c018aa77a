// The learned detector on the benchmark tile, with each kernel that the processor runs, in multiply-adds a second; and
// the relief of its scores.
#include "codelets/kernels/detector.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "bench/kernels/stages.hpp"
#include "codelets/cpu/detector_rows.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "support/detector_network.hpp"

namespace starpath::bench {
namespace {

double multiply_adds(const DetectorLayers& layers, double pixels) {
  double sum = 0;
  for (int i = 0; i < layers.count; ++i) {
    const DetectorLayer& layer = layers.all[static_cast<std::size_t>(i)];
    sum += pixels / (1 << 2 * layer.level) * layer.kernel * layer.kernel * layer.in * layer.out;
  }
  return sum;
}

void detect(benchmark::State& state, const cpu::RowKernel& kernel, const DetectorChannels& channels) {
  std::mt19937_64 random(1);
  const support::TestNetwork network = support::random_network(random, channels);
  const RgbView rgb = tile().view();
  Plane<std::uint8_t> nucleus, core;
  for (auto _ : state) {
    cpu::detect_by(kernel, context(), rgb, network.words(), 0, 0, channels, nucleus.view(), core.view());
    benchmark::ClobberMemory();
  }
  state.counters["multiply-adds"] = benchmark::Counter(multiply_adds(network.layers, static_cast<double>(rgb.pixels())),
                                                       benchmark::Counter::kIsIterationInvariantRate);
}

[[maybe_unused]] const bool registered = [] {
  for (const DetectorChannels& channels : {DetectorChannels{{16, 32, 48, 64}}, DetectorChannels{{8, 24, 48, 64}}})
    for (const cpu::RowKernel& kernel : cpu::row_kernels()) {
      if (!kernel.runs_here()) continue;
      const std::string name = "detect/" + std::string(kernel.name) + "/" + std::to_string(channels.of[0]);
      benchmark::RegisterBenchmark(name.c_str(), detect, kernel, channels)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    }
  return true;
}();

/// The tile's darkness as scores.
void marked_relief(benchmark::State& state, decltype(cpu::marked_relief)* kernel) {
  const support::TestNetwork network = support::darkness_network();
  const auto& of = network.channels.of;
  Plane<std::uint8_t> nucleus, core, objects;
  Plane<std::uint16_t> depth;
  cpu::detect(context(), tile().view(), network.words(), 0, 0, of[0], of[1], of[2], of[3], nucleus.view(), core.view());
  for (auto _ : state) {
    kernel(context(), nucleus.view(), core.view(), 128, 118, 11, 20, objects.view(), depth.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(marked_relief, reference, reference::marked_relief)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(marked_relief, cpu, cpu::marked_relief)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
