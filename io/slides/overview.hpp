// A part of a slide, small.
#pragma once
#include <vector>

#include "base/pure/rect.hpp"
#include "codelets/kernels/image.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::io {

/// A part of the working grid as a picture. Each of its pixels stands for `reduction` (>= 1) working pixels a side.
struct Overview {
  Rect region;
  double reduction = 1;
  int width = 0, height = 0;
  std::vector<Rgb> pixels;  // row by row
  View<Rgb> view() { return {pixels.data(), width, height, width}; }
  RgbView view() const { return {pixels.data(), width, height, width}; }
};

/// The region as a picture whose longer side has about `side` pixels. Where the slide has no level coarse enough for
/// that, a picture of fewer pixels, each the mean of a patch: no slide is read whole. What cannot be read is white.
Overview read_overview(const Slide& slide, const WorkingSlide& grid, const Rect& region, int side);

}  // namespace starpath::io
