// Operation 5 on the benchmark tile, beside the usual way with OpenCV: flood the background of a framed copy.
#include "codelets/kernels/fill_holes.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void fill_holes(benchmark::State& state, decltype(cpu::fill_holes)* kernel) {
  Plane<std::uint8_t> filled;
  const Stages& input = stages();
  for (auto _ : state) {
    kernel(context(), input.difference.view(), kPaperPixels.seed_level, filled.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(fill_holes, reference, reference::fill_holes)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fill_holes, cpu, cpu::fill_holes)->Unit(benchmark::kMillisecond);

void fill_holes_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat difference(kTileSide, kTileSide, CV_8U, const_cast<std::uint8_t*>(stages().difference.view().data));
  cv::Mat mask, framed, filled;
  for (auto _ : state) {
    cv::threshold(difference, mask, kPaperPixels.seed_level, 255, cv::THRESH_BINARY_INV);
    cv::copyMakeBorder(mask, framed, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
    cv::floodFill(framed, cv::Point(0, 0), cv::Scalar(128));
    cv::compare(framed(cv::Rect(1, 1, kTileSide, kTileSide)), 128, filled, cv::CMP_NE);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(fill_holes_opencv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
