// The tiles of several levels of a label image, band by band.
#include "io/exports/label_bands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "io/outlines/contour.hpp"

namespace starpath::io {

LabelBands::LabelBands(const ResultStore& store, std::span<const LabelLevel> levels)
    : nuclei_(store), levels_(levels), width_(store.info().width), height_(store.info().height) {
  for (const LabelLevel& level : levels_) tiles_.emplace_back(level.columns());
}

/// A run of pixels of the grid.
void LabelBands::add(std::int64_t id, std::int64_t y, std::int64_t x0, std::int64_t x1) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const int shift = levels_[i].shift;
    const std::int64_t round_up = (std::int64_t{1} << shift) - 1;
    if ((y & round_up) != 0) return;  // nor has a coarser level this row
    const std::int64_t left = (x0 + round_up) >> shift, right = (x1 + round_up) >> shift;
    if (left == right) continue;
    const LabelRun run{static_cast<std::int32_t>((y >> shift) % kLabelTileSide), static_cast<std::int32_t>(left),
                       static_cast<std::int32_t>(right), static_cast<std::uint32_t>(id)};
    for (std::int64_t column = left / kLabelTileSide; column <= (right - 1) / kLabelTileSide; ++column)
      tiles_[i][static_cast<std::size_t>(column)].push_back(run);
  }
}

std::vector<LabelTileRow> LabelBands::next() {
  const std::int64_t y0 = next_, y1 = std::min(y0 + (kLabelTileSide << levels_.front().shift), height_);
  nuclei_.for_each_nucleus_in_rows(y0, y1, [&](std::int64_t id, const NucleusRecord& nucleus) {
    for (const PixelRun& run : pixel_runs(nucleus.contour)) {
      if (run.x0 < 0 || run.x0 >= run.x1 || run.x1 > width_)
        throw Error(ErrorKind::mismatch,
                    fmt::format("the results are damaged: nucleus {} leaves the slide; run again", id));
      if (run.y >= y0 && run.y < y1) add(id, run.y, run.x0, run.x1);
    }
  });
  next_ = y1;
  std::vector<LabelTileRow> ended;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const std::int64_t rows = kLabelTileSide << levels_[i].shift;
    if (y1 % rows != 0 && y1 != height_) break;  // nor does one of a coarser level end here
    ended.push_back({i, std::move(tiles_[i])});
    tiles_[i] = Tiles(levels_[i].columns());
  }
  return ended;
}

}  // namespace starpath::io
