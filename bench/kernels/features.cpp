// Operation 11 on the benchmark tile, and its filters beside OpenCV's Canny and Sobel.
#include "codelets/kernels/features.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>
#include <span>
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

/// Places and words of masks, filled by the CPU's kernel.
struct NucleusMasks {
  std::vector<MaskPlace> places;
  std::vector<std::uint64_t> words;

  NucleusMasks(const Nuclei& n, const std::vector<std::uint8_t>& wanted)
      : places(n.boxes.size()), words(mask_words(n.labels.view().pixels())) {
    place_masks(n.boxes, wanted, kTileSide, kTileSide, words.size(), places);
    cpu::nucleus_regions(context(), n.labels.view(), n.boxes, places, words);
  }
};

/// Calls kernel(boxes, wanted, masks, table) until the benchmark ends.
template <class Kernel>
void over_nuclei(benchmark::State& state, Kernel kernel) {
  const Nuclei& n = nuclei();
  const std::vector<std::uint8_t> wanted(n.boxes.size(), 1);
  static NucleusMasks masks(n, wanted);
  Plane<double> table(kFeatureCount,  // which has room for any family
                      static_cast<int>(n.boxes.size()));
  for (auto _ : state) {
    kernel(std::span(n.boxes), std::span(wanted), masks, table.view());
    benchmark::ClobberMemory();
  }
  state.counters["nuclei"] = static_cast<double>(n.boxes.size());
  state.counters["patch_Mpx"] = static_cast<double>(n.patch_pixels) / 1e6;
}

using Deconvolution = decltype(cpu::colour_deconvolution);
using RegionsKernel = decltype(cpu::nucleus_regions);
using ShapeKernel = decltype(cpu::shape_features);
using ChannelKernel = decltype(cpu::intensity_features);

Plane<std::uint8_t>& channels() {
  static Plane<std::uint8_t> once(kTileSide, kStainChannels * kTileSide);
  return once;
}

/// The same, all of them filled.
GrayView filled_channels() {
  static const bool once = [] {
    reference::colour_deconvolution(context(), tile().view(), {}, {}, kStainAmountTable, channels().view());
    return true;
  }();
  return once ? channels().view() : GrayView{};
}

void colour_deconvolution(benchmark::State& state, Deconvolution* kernel) {
  over_nuclei(state, [&](auto boxes, auto wanted, NucleusMasks&, View<double>) {
    kernel(context(), tile().view(), boxes, wanted, kStainAmountTable, channels().view());
  });
}
void nucleus_regions(benchmark::State& state, RegionsKernel* kernel) {
  over_nuclei(state, [&](auto boxes, auto, NucleusMasks& masks, View<double>) {
    kernel(context(), nuclei().labels.view(), boxes, masks.places, masks.words);
  });
}
void shape_features(benchmark::State& state, ShapeKernel* kernel) {
  over_nuclei(state, [&](auto boxes, auto wanted, NucleusMasks& masks, View<double> table) {
    kernel(context(), nuclei().labels.view(), boxes, wanted, masks.places, masks.words, table);
  });
}
void channel_features(benchmark::State& state, ChannelKernel* kernel) {
  const GrayView filled = filled_channels();
  over_nuclei(state, [&](auto boxes, auto wanted, NucleusMasks& masks, View<double> table) {
    kernel(context(), filled, nuclei().labels.view(), boxes, wanted, masks.places, masks.words, table);
  });
}
/// All operations one after another, as a core runs them for a tile.
void features(benchmark::State& state, Deconvolution* deconvolution, RegionsKernel* regions, ShapeKernel* shape,
              std::array<ChannelKernel*, kFamilyCount - 1> others) {
  over_nuclei(state, [&](auto boxes, auto wanted, NucleusMasks& masks, View<double> table) {
    const View<const std::int32_t> labels = nuclei().labels.view();
    deconvolution(context(), tile().view(), boxes, wanted, kStainAmountTable, channels().view());
    regions(context(), labels, boxes, masks.places, masks.words);
    shape(context(), labels, boxes, wanted, masks.places, masks.words, table);
    for (ChannelKernel* kernel : others)
      kernel(context(), channels().view(), labels, boxes, wanted, masks.places, masks.words, table);
  });
}
BENCHMARK_CAPTURE(features, reference, reference::colour_deconvolution, reference::nucleus_regions,
                  reference::shape_features,
                  {reference::intensity_features, reference::gradient_features, reference::edge_features,
                   reference::texture_features})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(features, cpu, cpu::colour_deconvolution, cpu::nucleus_regions, cpu::shape_features,
                  {cpu::intensity_features, cpu::gradient_features, cpu::edge_features, cpu::texture_features})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colour_deconvolution, cpu, cpu::colour_deconvolution)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(nucleus_regions, cpu, cpu::nucleus_regions)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shape_features, cpu, cpu::shape_features)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(channel_features, cpu_intensity, cpu::intensity_features)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(channel_features, cpu_gradient, cpu::gradient_features)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(channel_features, cpu_edges, cpu::edge_features)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(channel_features, cpu_texture, cpu::texture_features)->Unit(benchmark::kMillisecond);

/// The tile in gray.
Plane<std::uint8_t> gray_tile() {
  Plane<std::uint8_t> gray;
  const RgbView rgb = tile().view();
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) gray.view().at(x, y) = gray_value(rgb.at(x, y));
  return gray;
}

/// Canny's test without hysteresis and Sobel of one channel, cut into the patches of the nuclei.
void feature_filters_cpu(benchmark::State& state) {
  const Plane<std::uint8_t> gray = gray_tile();
  std::size_t largest = 0;
  for (const auto& box : nuclei().boxes) largest = std::max(largest, cpu::PatchFrame(box, kTileSide, kTileSide).size());
  Scratch scratch;
  cpu::EdgePlanes planes(scratch, largest);
  for (auto _ : state)
    for (const auto& box : nuclei().boxes) {
      // The values do not change the work: any stretch of the tile will do.
      const cpu::PatchFrame frame(box, kTileSide, kTileSide);
      cpu::find_edges(frame, gray.view().data + kTileSide, planes);
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
