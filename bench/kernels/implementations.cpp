// Kernels with two implementations for CPUs, side by side, on parts of the benchmark tile from 256 to 4096 pixels wide.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/kernels/stages.hpp"
#include "codelets/kernels/opencv.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath::bench {
namespace {

/// The upper left part of an image.
template <class T>
View<T> corner(View<T> image, int side) {
  return {image.data, side, side, image.stride};
}

/// A kernel's run on the upper left `side` pixels of the tile.
template <auto kernel>
void background(benchmark::State& state, int side) {
  const RgbView rgb = corner(tile().view(), side);
  Plane<std::uint8_t> mask;
  for (auto _ : state) {
    kernel(context(), rgb, kPaperPixels.background_level, corner(mask.view(), side));
    benchmark::ClobberMemory();
  }
}

template <auto kernel>
void halves(benchmark::State& state, int side) {
  const RgbView rgb = corner(tile().view(), side);
  Plane<Rgb> half(side / 2, side / 2);
  for (auto _ : state) {
    const Scratch::Mark mark(context().scratch);
    kernel(context(), rgb, half.view());
    benchmark::ClobberMemory();
  }
}

template <auto kernel, int reach>
void morph_open(benchmark::State& state, int side) {
  const RgbView rgb = corner(tile().view(), side);
  Plane<std::uint8_t> inverted, opened;
  for (auto _ : state) {
    kernel(context(), rgb, reach, corner(inverted.view(), side), corner(opened.view(), side));
    benchmark::ClobberMemory();
  }
}

using Run = void (*)(benchmark::State&, int);

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const std::string& name, Run run) {
    for (const int side : {256, 512, 1024, 2048, 4096})
      benchmark::RegisterBenchmark((name + "/" + std::to_string(side)).c_str(), run, side)
          ->Unit(benchmark::kMicrosecond);
  };
  add("background/cpu", background<cpu::background>);
  add("area_average_by_2/cpu", halves<cpu::area_average>);
  add("morph_open_by_12/cpu", morph_open<cpu::morph_open, 12>);
  add("morph_open_by_3/cpu", morph_open<cpu::morph_open, 3>);
  if constexpr (kOpenCvCompiled) {
    add("background/opencv", background<opencv::background>);
    add("area_average_by_2/opencv", halves<opencv::area_average>);
    add("morph_open_by_12/opencv", morph_open<opencv::morph_open, 12>);
    add("morph_open_by_3/opencv", morph_open<opencv::morph_open, 3>);
  }
  return true;
}();

}  // namespace
}  // namespace starpath::bench
