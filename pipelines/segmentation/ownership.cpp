// Centroid ownership and the tissue mask of a tile.
#include "pipelines/segmentation/ownership.hpp"

#include <algorithm>

#include "codelets/kernels/segmentation_parameters.hpp"

namespace starpath {
namespace {

Rect grown(const Rect& rect, std::int64_t margin) {
  return {rect.x - margin, rect.y - margin, rect.width + 2 * margin, rect.height + 2 * margin};
}

// The centroid of pixel centres is sum / area + 1/2; the comparison is in halves of 1 / area, so that it is exact.
bool holds_centroid(const Rect& rect, std::int64_t area, std::int64_t sum_x, std::int64_t sum_y) {
  const auto within = [&](std::int64_t sum, std::int64_t low, std::int64_t high) {
    const std::int64_t doubled = 2 * sum + area;
    return doubled >= 2 * area * low && doubled < 2 * area * high;
  };
  return within(sum_x, rect.x, rect.right()) && within(sum_y, rect.y, rect.bottom());
}

}  // namespace

TissueMask::TissueMask(const Tile& tile, std::int64_t cell, std::int64_t width, std::int64_t height,
                       std::span<const std::uint32_t> counts, std::int64_t columns, int glass_share)
    : core_(tile.core), cell_(cell), first_column_(tile.core.x / cell), first_row_(tile.core.y / cell) {
  columns_ = (tile.core.right() - 1) / cell - first_column_ + 1;
  rows_ = (tile.core.bottom() - 1) / cell - first_row_ + 1;
  const Rect slide{0, 0, width, height};
  for (std::int64_t row = first_row_; row < first_row_ + rows_; ++row) {
    for (std::int64_t column = first_column_; column < first_column_ + columns_; ++column) {
      const Rect area = intersection({column * cell, row * cell, cell, cell}, slide);
      const auto at = (row - tile.region.y / cell) * columns + (column - tile.region.x / cell);
      const std::int64_t glass = counts[static_cast<std::size_t>(at)];
      glass_.push_back(kGlassUnit * glass >= glass_share * area.width * area.height);
    }
  }
}

bool TissueMask::glass_at(std::int64_t x, std::int64_t y) const {
  const std::int64_t column = x / cell_ - first_column_, row = y / cell_ - first_row_;
  return glass_[static_cast<std::size_t>(row * columns_ + column)];
}

bool TissueMask::all_glass() const {
  return std::all_of(glass_.begin(), glass_.end(), [](bool glass) { return glass; });
}

std::int64_t TissueMask::area() const {
  std::int64_t pixels = 0;
  for (std::size_t i = 0; i < glass_.size(); ++i) {
    if (glass_[i]) continue;
    const auto at = static_cast<std::int64_t>(i);
    const Rect cell{(first_column_ + at % columns_) * cell_, (first_row_ + at / columns_) * cell_, cell_, cell_};
    const Rect inside = intersection(cell, core_);
    pixels += inside.width * inside.height;
  }
  return pixels;
}

io::NucleusRole role_of(const Tile& tile, const TissueMask& tissue, std::int64_t area, std::int64_t sum_x,
                        std::int64_t sum_y) {
  if (holds_centroid(tile.core, area, sum_x, sum_y)) {
    const std::int64_t x = (2 * sum_x + area) / (2 * area), y = (2 * sum_y + area) / (2 * area);
    return tissue.glass_at(x, y) ? io::NucleusRole::background : io::NucleusRole::owned;
  }
  return holds_centroid(grown(tile.core, kCandidateMargin), area, sum_x, sum_y) ? io::NucleusRole::candidate
                                                                                : io::NucleusRole::none;
}

}  // namespace starpath
