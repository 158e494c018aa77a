// NBIA on 512x512 pixels of the benchmark tile: reduction, statistics, classification.
#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>
#include <random>
#include <vector>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::bench {
namespace {

RgbView part(int side) {
  const RgbView whole = tile().view();
  return {whole.data, side, side, whole.stride};
}

/// Features of one image, as the pipeline computes them: counts, then numbers.
void nbia_features_of(benchmark::State& state, decltype(cpu::nbia_statistics)* kernel) {
  const RgbView rgb = part(static_cast<int>(state.range(0)));
  Scratch scratch;
  NbiaCounts counts;
  for (auto _ : state) {
    const Scratch::Mark mark(scratch);
    kernel({scratch}, rgb, &counts);
    NbiaFeatures features = nbia_features(counts);
    benchmark::DoNotOptimize(features);
  }
}
BENCHMARK_CAPTURE(nbia_features_of, reference, reference::nbia_statistics)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nbia_features_of, cpu, cpu::nbia_statistics)
    ->Arg(32)
    ->Arg(128)
    ->Arg(512)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond);

/// OpenCV's conversion to 8-bit L*a*b* alone.
void nbia_lab_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const RgbView view = part(512);
  const cv::Mat rgb(512, 512, CV_8UC3, const_cast<Rgb*>(view.data), static_cast<std::size_t>(view.stride) * 3);
  cv::Mat lab;
  for (auto _ : state) {
    cv::cvtColor(rgb, lab, cv::COLOR_RGB2Lab);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(nbia_lab_opencv)->Unit(benchmark::kMillisecond);

void nbia_reduce(benchmark::State& state, decltype(cpu::area_average)* kernel) {
  Scratch scratch;
  Plane<Rgb> out(32, 32);
  for (auto _ : state) {
    const Scratch::Mark mark(scratch);
    kernel({scratch}, part(512), out.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(nbia_reduce, reference, reference::area_average)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nbia_reduce, cpu, cpu::area_average)->Unit(benchmark::kMillisecond);

/// One vote among as many samples as a level of the bundled model has, or more.
void nbia_vote(benchmark::State& state, decltype(cpu::nbia_classify)* kernel) {
  const auto count = static_cast<std::size_t>(state.range(0));
  std::mt19937 random(1);
  std::vector<std::int16_t> z(kNbiaFeatureCount * count);
  std::vector<NbiaLabel> labels(count);
  for (auto& value : z) value = static_cast<std::int16_t>(static_cast<int>(random() % 3000) - 1500);
  for (auto& label : labels) label = random() % 2 ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor;
  const std::vector<double> mean(kNbiaFeatureCount, 0.5), deviation(kNbiaFeatureCount, 0.2);
  Scratch scratch;
  NbiaCounts counts;
  cpu::nbia_statistics({scratch}, part(512), &counts);
  NbiaVote vote{};
  for (auto _ : state) {
    const Scratch::Mark mark(scratch);
    kernel({scratch}, counts, {mean.data(), deviation.data(), z.data(), labels.data(), static_cast<int>(count)}, &vote);
    benchmark::DoNotOptimize(vote);
  }
}
BENCHMARK_CAPTURE(nbia_vote, reference, reference::nbia_classify)->Arg(240)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(nbia_vote, cpu, cpu::nbia_classify)->Arg(240)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace starpath::bench
