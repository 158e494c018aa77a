// Operations 0 and 1 on the benchmark tile, beside OpenCV's inRange.
#include "codelets/kernels/background.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/core.hpp>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

using BackgroundKernel = decltype(cpu::background);
using CountKernel = decltype(cpu::count_background);

void background_and_count(benchmark::State& state, BackgroundKernel* background, CountKernel* count) {
  Plane<std::uint8_t> mask;
  Plane<std::uint32_t> cells(kTileSide / kTissueCell, kTileSide / kTissueCell);
  const RgbView rgb = tile().view();
  for (auto _ : state) {
    background(context(), rgb, kPaperPixels.background_level, mask.view());
    count(context(), mask.view(), 0, 0, cells.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(background_and_count, reference, reference::background, reference::count_background)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(background_and_count, cpu, cpu::background, cpu::count_background)->Unit(benchmark::kMillisecond);

void background_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat rgb(kTileSide, kTileSide, CV_8UC3, const_cast<Rgb*>(tile().view().data));
  cv::Mat mask;
  const double level = kPaperPixels.background_level + 1;
  for (auto _ : state) {
    cv::inRange(rgb, cv::Scalar(level, level, level), cv::Scalar(255, 255, 255), mask);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(background_opencv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
