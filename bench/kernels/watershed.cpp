// Operation 9 on the benchmark tile, beside OpenCV's flooding of the same relief from the same markers.
#include "codelets/kernels/watershed.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::bench {
namespace {

void watershed(benchmark::State& state, decltype(cpu::watershed)* kernel) {
  Plane<std::uint8_t> nuclei;
  const ObjectStages& input = object_stages();
  for (auto _ : state) {
    kernel(context(), input.objects.view(), input.depth.view(), nuclei.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(watershed, reference, reference::watershed)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(watershed, cpu, cpu::watershed)->Unit(benchmark::kMillisecond);

/// Labels of the regional maxima; what is outside the objects is one label more.
void mark_maxima(View<std::int32_t> markers) {
  const ObjectStages& input = object_stages();
  const auto depth = input.depth.view();
  Plane<std::uint16_t> lower, reconstructed;
  Plane<std::uint8_t> maxima;
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x)
      lower.view().at(x, y) = static_cast<std::uint16_t>(std::max(0, depth.at(x, y) - 1));
  cpu::reconstruct_u16(context(), lower.view(), depth, Connectivity::eight, reconstructed.view());
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x)
      maxima.view().at(x, y) = depth.at(x, y) > reconstructed.view().at(x, y) ? 255 : 0;
  std::int32_t count = 0;
  cpu::label_components(context(), maxima.view(), Connectivity::eight, markers, &count);
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x)
      if (input.objects.view().at(x, y) == 0) markers.at(x, y) = count + 1;
}

/// OpenCV takes three channels of 8 bits; marking the maxima and building the image are not timed.
void watershed_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  Plane<std::int32_t> marked;
  mark_maxima(marked.view());
  const cv::Mat markers(kTileSide, kTileSide, CV_32S, marked.view().data);
  cv::Mat relief(kTileSide, kTileSide, CV_8UC3);
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x) {
      const auto value = static_cast<std::uint8_t>(255 - std::min(255, object_stages().depth.view().at(x, y) / 16));
      relief.at<cv::Vec3b>(y, x) = {value, value, value};
    }
  for (auto _ : state) {
    state.PauseTiming();
    cv::Mat basins = markers.clone();
    state.ResumeTiming();
    cv::watershed(relief, basins);
  }
}
BENCHMARK(watershed_opencv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
