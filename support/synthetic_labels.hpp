// Ground truth of a synthetic slide: which pixel belongs to which nucleus.
#pragma once
#include <algorithm>
#include <cstdint>

#include "codelets/kernels/image.hpp"
#include "io/synthetic/paint.hpp"
#include "io/synthetic/spec.hpp"

namespace starpath::support {

/// Instance labels of the region whose top left pixel is (x, y) at level 0: the number of the nucleus at each pixel, 0
/// for none and outside the slide. A nucleus has the same number in every region that shows it, and no other nucleus of
/// the slide has it. Where nuclei overlap, the one on top in the image has the pixel. Red blood cells have no label.
/// Throws as TissueMap's constructor.
inline void synthetic_labels(const io::SyntheticSpec& spec, std::int64_t x, std::int64_t y, View<std::int32_t> out) {
  for (int row = 0; row < out.height; ++row) std::fill_n(out.row(row), out.width, 0);
  const io::PaintArea area{x, y, out.width, out.height};
  for (const io::Cell& cell : io::TissueMap(spec).nuclei(x, y, out.width, out.height)) {
    visit_cell(cell, area, [&](int column, int row, float level) {
      const bool on_slide = x + column >= 0 && y + row >= 0 && x + column < spec.width && y + row < spec.height;
      if (level < 1 && on_slide) out.at(column, row) = cell.id;
    });
  }
}

}  // namespace starpath::support
