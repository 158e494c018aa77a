// The tiles of several levels of a label image, band by band.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/exports/label_tile.hpp"
#include "io/results/nucleus_store.hpp"

namespace starpath::io {

/// A level of the pyramid. It has every second pixel, beginning with the first, of the next finer level.
struct LabelLevel {
  int shift;  ///< level pixel (x, y) is pixel (x << shift, y << shift) of the grid
  std::int64_t width, height;

  std::size_t columns() const { return static_cast<std::size_t>((width + kLabelTileSide - 1) / kLabelTileSide); }
};

/// A row of tiles whose runs are all known, as one list for each tile.
struct LabelTileRow {
  std::size_t level;  ///< its place in the span that LabelBands was made with
  std::vector<std::vector<LabelRun>> tiles;
};

/// Reads each nucleus once for all `levels`, which are neighbours, the finest first. A band is as high as a tile of the
/// finest. Not thread-safe; others must not read from the store meanwhile.
class LabelBands {
 public:
  /// `levels` outlive this object.
  LabelBands(const ResultStore& store, std::span<const LabelLevel> levels);

  /// Whether bands are left.
  bool more() const { return next_ < height_; }
  /// The share of the grid that was read, 0 to 1.
  double done() const { return static_cast<double>(next_) / static_cast<double>(height_); }
  /// The rows of tiles that end with the next band: first that of the finest, then those of others that end there.
  /// Throws Error{mismatch} for a nucleus that leaves the grid.
  std::vector<LabelTileRow> next();

 private:
  using Tiles = std::vector<std::vector<LabelRun>>;
  void add(std::int64_t id, std::int64_t y, std::int64_t x0, std::int64_t x1);

  const NucleusStore nuclei_;
  const std::span<const LabelLevel> levels_;
  const std::int64_t width_, height_;  // of the grid
  std::int64_t next_ = 0;              // row of the grid where the next band begins
  std::vector<Tiles> tiles_;           // by level, of the row of tiles that is being collected
};

}  // namespace starpath::io
