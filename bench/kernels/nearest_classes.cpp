// Votes on nuclei: a block of random points of 20 features, in rows of 32 numbers, among so many samples.
#include "codelets/kernels/nearest_classes.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace starpath::bench {
namespace {

void nearest_classes(benchmark::State& state, decltype(cpu::nearest_classes)* kernel) {
  constexpr int kWidth = padded_point(20), kPoints = 4096, kNeighbours = 15;
  const int samples = static_cast<int>(state.range(0));
  std::mt19937 random(1);
  std::normal_distribution<double> score(0, kPointUnit);
  const auto rows = [&](int count) {
    std::vector<std::int16_t> numbers(static_cast<std::size_t>(count * kWidth));
    for (std::int16_t& number : numbers) number = point_number(score(random), 0, kPointUnit);
    return numbers;
  };
  const std::vector<std::int16_t> points = rows(kPoints), known = rows(samples);
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(samples));
  for (std::uint8_t& label : labels) label = static_cast<std::uint8_t>(random() % 3);
  std::vector<ClassVote> votes(kPoints);
  Scratch scratch;
  for (auto _ : state) {
    kernel({scratch}, {points.data(), kWidth, kPoints, kWidth}, {known.data(), kWidth, samples, kWidth}, labels, votes,
           kNeighbours);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kPoints);
}
BENCHMARK_CAPTURE(nearest_classes, reference, reference::nearest_classes)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nearest_classes, cpu, cpu::nearest_classes)
    ->Arg(1000)
    ->Arg(5000)
    ->Arg(20000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
