// Which tile an object belongs to: the one whose core holds its centroid. Pure.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "io/results/nucleus_record.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

/// A centroid this close to a core, in pixels, makes a candidate (seams.hpp): two tiles may see one object a little
/// differently.
inline constexpr std::int64_t kCandidateMargin = 4;

/// Which of the fixed cells that meet a tile's core are glass.
class TissueMask {
 public:
  /// `counts` (row-major, `columns` wide) are the glass pixels in the cells that meet `tile.region`, the first being
  /// the one that holds the region's first pixel. Cells are cut at the slide's border (width x height). A cell is glass
  /// when at least `glass_share` / kGlassUnit of its pixels are.
  TissueMask(const Tile& tile, std::int64_t cell, std::int64_t width, std::int64_t height,
             std::span<const std::uint32_t> counts, std::int64_t columns, int glass_share);

  /// Only for pixels of the core: cells beyond it may not have been read whole.
  bool glass_at(std::int64_t x, std::int64_t y) const;
  bool all_glass() const;
  /// Pixels of the core in cells that are not glass.
  std::int64_t area() const;

 private:
  Rect core_;
  std::int64_t cell_, first_column_, first_row_, columns_, rows_;
  std::vector<bool> glass_;
};

/// The role of an object of `area` pixels whose pixel coordinates on the slide sum to (sum_x, sum_y).
io::NucleusRole role_of(const Tile& tile, const TissueMask& tissue, std::int64_t area, std::int64_t sum_x,
                        std::int64_t sum_y);

}  // namespace starpath
