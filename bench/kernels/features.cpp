// Operation 11 on the benchmark tile, and its filters beside OpenCV's Canny and Sobel.
#include "codelets/kernels/features.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "bench/kernels/stages.hpp"
#include "codelets/cpu/feature_filters.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

/// Objects of the difference image with the size of nuclei; clumps stay together.
struct Nuclei {
  Plane<std::int32_t> labels;
  std::vector<ObjectBox> boxes;
  std::int64_t patch_pixels = 0;

  Nuclei() {
    Plane<std::uint8_t> mask;
    const auto difference = stages().difference.view();
    for (std::ptrdiff_t i = 0; i < difference.pixels(); ++i)
      mask.view().data[i] = difference.data[i] > kPaperPixels.nucleus_level ? 255 : 0;
    cpu::area_filter(context(), mask.view(), Connectivity::eight, 21, 1000, mask.view());
    std::int32_t count = 0;
    cpu::label_components(context(), mask.view(), Connectivity::eight, labels.view(), &count);
    boxes.resize(static_cast<std::size_t>(count));
    cpu::object_boxes(context(), labels.view(), boxes);
    for (const auto& box : boxes)
      patch_pixels += static_cast<std::int64_t>(cpu::PatchFrame(box, kTileSide, kTileSide).size());
  }
};

const Nuclei& nuclei() {
  static const Nuclei once;
  return once;
}

void features(benchmark::State& state, decltype(cpu::features)* kernel) {
  const Nuclei& n = nuclei();
  const std::vector<std::uint8_t> wanted(n.boxes.size(), 1);
  Plane<double> table(kFeatureCount, static_cast<int>(n.boxes.size()));
  const RgbView rgb = tile().view();
  for (auto _ : state) {
    kernel(context(), rgb, n.labels.view(), n.boxes, wanted, kStainAmountTable, table.view());
    benchmark::ClobberMemory();
  }
  state.counters["nuclei"] = static_cast<double>(n.boxes.size());
  state.counters["patch_Mpx"] = static_cast<double>(n.patch_pixels) / 1e6;
}
BENCHMARK_CAPTURE(features, reference, reference::features)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(features, cpu, cpu::features)->Unit(benchmark::kMillisecond);

/// The tile in gray.
Plane<std::uint8_t> gray_tile() {
  Plane<std::uint8_t> gray;
  const RgbView rgb = tile().view();
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) gray.view().at(x, y) = gray_value(rgb.at(x, y));
  return gray;
}

/// Gradient, Canny's test without hysteresis and Sobel of one channel, cut into the patches of the nuclei.
void feature_filters_cpu(benchmark::State& state) {
  const Plane<std::uint8_t> gray = gray_tile();
  std::size_t largest = 0;
  for (const auto& box : nuclei().boxes) largest = std::max(largest, cpu::PatchFrame(box, kTileSide, kTileSide).size());
  Scratch scratch;
  cpu::FilterPlanes planes(scratch, largest);
  for (auto _ : state)
    for (const auto& box : nuclei().boxes) {
      // The values do not change the work: any stretch of the tile will do.
      const cpu::PatchFrame frame(box, kTileSide, kTileSide);
      cpu::filter_channel(frame, gray.view().data + kTileSide, planes);
      benchmark::ClobberMemory();
    }
}
BENCHMARK(feature_filters_cpu)->Unit(benchmark::kMillisecond);

/// Canny and Sobel of the whole tile in one channel.
void feature_filters_opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  const Plane<std::uint8_t> plane = gray_tile();
  const cv::Mat gray(kTileSide, kTileSide, CV_8U, const_cast<std::uint8_t*>(plane.view().data));
  cv::Mat edges, sobel;
  for (auto _ : state) {
    cv::Canny(gray, edges, kCannyLow, kCannyHigh, 5);
    cv::Sobel(gray, sobel, CV_8U, 1, 1, 7);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(feature_filters_opencv)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::bench
