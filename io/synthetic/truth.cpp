// Instance labels of a synthetic slide.
#include "io/synthetic/truth.hpp"

#include <algorithm>

#include "io/synthetic/paint.hpp"

namespace starpath::io {

void synthetic_labels(const SyntheticSpec& spec, std::int64_t x, std::int64_t y, View<std::int32_t> out) {
  for (int row = 0; row < out.height; ++row) std::fill_n(out.row(row), out.width, 0);
  const PaintArea area{x, y, out.width, out.height};
  for (const Cell& cell : TissueMap(spec).nuclei(x, y, out.width, out.height)) {
    visit_cell(cell, area, [&](int column, int row, float level) {
      const bool on_slide = x + column >= 0 && y + row >= 0 && x + column < spec.width && y + row < spec.height;
      if (level < 1 && on_slide) out.at(column, row) = cell.id;
    });
  }
}

}  // namespace starpath::io
