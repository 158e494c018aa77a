// Connected components and operation 6 on the benchmark tile, beside OpenCV's labels with statistics.
#include "codelets/kernels/connected_components.hpp"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>
#include <vector>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

void label_components(benchmark::State& state, decltype(cpu::label_components)* kernel) {
  Plane<std::int32_t> labels;
  const auto mask = object_stages().nuclei.view();
  std::int32_t count = 0;
  for (auto _ : state) {
    kernel(context(), mask, Connectivity::eight, labels.view(), &count);
    benchmark::ClobberMemory();
  }
  state.counters["objects"] = count;
}
BENCHMARK_CAPTURE(label_components, reference, reference::label_components)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(label_components, cpu, cpu::label_components)->Unit(benchmark::kMillisecond);

void object_boxes(benchmark::State& state, decltype(cpu::object_boxes)* kernel) {
  const ObjectStages& input = object_stages();
  std::vector<ObjectBox> boxes(static_cast<std::size_t>(input.count));
  for (auto _ : state) {
    kernel(context(), input.labels.view(), boxes);
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(object_boxes, reference, reference::object_boxes)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(object_boxes, cpu, cpu::object_boxes)->Unit(benchmark::kMillisecond);

/// OpenCV answers label_components (here 8-connected) and object_boxes in one call.
void label_components_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const cv::Mat mask(kTileSide, kTileSide, CV_8U, const_cast<std::uint8_t*>(object_stages().nuclei.view().data));
  cv::Mat labels, stats, centroids;
  for (auto _ : state) cv::connectedComponentsWithStats(mask, labels, stats, centroids, 8, CV_32S);
}
BENCHMARK(label_components_opencv)->Unit(benchmark::kMillisecond);

void area_threshold(benchmark::State& state, decltype(cpu::area_threshold)* kernel) {
  Plane<std::uint8_t> seeds;
  const auto mask = object_stages().filled.view();
  for (auto _ : state) {
    kernel(context(), mask, kPaperPixels.seed_min_area, kPaperPixels.seed_max_area, seeds.view());
    benchmark::ClobberMemory();
  }
}
BENCHMARK_CAPTURE(area_threshold, reference, reference::area_threshold)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(area_threshold, cpu, cpu::area_threshold)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
