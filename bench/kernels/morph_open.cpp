// Operation 3 on the benchmark tile, beside OpenCV's morphologyEx with the same octagon.
#include "codelets/kernels/morph_open.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void morph_open(benchmark::State& state, decltype(cpu::morph_open)* kernel) {
  Plane<std::uint8_t> inverted, opened;
  const RgbView rgb = tile().view();
  for (auto _ : state) {
    kernel(context(), rgb, kPaperPixels.opening_reach, inverted.view(), opened.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(morph_open, reference, reference::morph_open)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(morph_open, cpu, cpu::morph_open)->Unit(benchmark::kMillisecond);

cv::Mat octagon() {
  const int reach = kPaperPixels.opening_reach, corner = octagon_of(reach).corner();
  cv::Mat element(2 * reach + 1, 2 * reach + 1, CV_8U);
  for (int y = 0; y < element.rows; ++y)
    for (int x = 0; x < element.cols; ++x)
      element.at<std::uint8_t>(y, x) = std::abs(x - reach) + std::abs(y - reach) <= corner;
  return element;
}

void morph_open_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat inverted(kTileSide, kTileSide, CV_8U, const_cast<std::uint8_t*>(stages().inverted.view().data));
  const cv::Mat element = octagon();
  cv::Mat opened;
  for (auto _ : state) {
    cv::morphologyEx(inverted, opened, cv::MORPH_OPEN, element);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(morph_open_opencv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
