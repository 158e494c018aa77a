// Operation 8 on the benchmark tile, its distances beside OpenCV's.
#include "codelets/kernels/pre_watershed.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void squared_distance(benchmark::State& state, decltype(cpu::squared_distance)* kernel) {
  Plane<std::int32_t> squared;
  const auto mask = object_stages().objects.view();
  for (auto _ : state) {
    kernel(context(), mask, squared.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(squared_distance, reference, reference::squared_distance)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(squared_distance, cpu, cpu::squared_distance)->Unit(benchmark::kMillisecond);

/// Distances as floats, exact ones as in squared_distance.
void squared_distance_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat mask(kTileSide, kTileSide, CV_8U, const_cast<std::uint8_t*>(object_stages().objects.view().data));
  cv::Mat distances;
  for (auto _ : state) cv::distanceTransform(mask, distances, cv::DIST_L2, cv::DIST_MASK_PRECISE);
}
BENCHMARK(squared_distance_opencv)->Unit(benchmark::kMillisecond);

void pre_watershed(benchmark::State& state, decltype(cpu::pre_watershed)* kernel) {
  Plane<std::uint8_t> objects;
  Plane<std::uint16_t> depth;
  const auto selected = object_stages().selected.view();
  for (auto _ : state) {
    kernel(context(), selected, kPaperPixels.clump_min_area, kPaperPixels.grow_steps, kPaperPixels.smooth_steps,
           kPaperPixels.split_depth, objects.view(), depth.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(pre_watershed, reference, reference::pre_watershed)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(pre_watershed, cpu, cpu::pre_watershed)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
