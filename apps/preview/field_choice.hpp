// Which fields of a slide are worth a look. Pure.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath::apps {

/// Side of a field, working pixels: a quarter of a tile, so that no field lies in two tiles.
inline constexpr std::int64_t kPreviewField = 512;

/// A part of the working grid as a picture, `reduction` working pixels (>= 1) to a pixel of the picture.
struct Overview {
  Rect region;
  double reduction = 1;
  int width = 0, height = 0;
  std::vector<Rgb> pixels;  // row by row
  View<Rgb> view() { return {pixels.data(), width, height, width}; }
  RgbView view() const { return {pixels.data(), width, height, width}; }
};

/// At most `most` fields of the overview's region, in row-major order. They lie on a grid that starts at the slide's
/// origin and are cut at the region. Of the fields that
/// absorb at least half as much red as any does, as nuclei do, the one that absorbs most comes first, then each time
/// the one farthest from those chosen. Only of `from`, if it has any. Whole fields come first, then those that are cut;
/// less than a quarter of one is taken where there is nothing else. Glass, ink and dark pixels do not count. Where no
/// field has tissue: those in the middle. At least one for a region that is not empty.
std::vector<Rect> choose_fields(const Overview& overview, std::size_t most, std::span<const Rect> from = {});

}  // namespace starpath::apps
