// Parts of tiles. Pure.
#pragma once
#include <algorithm>
#include <cstdint>

#include "pipelines/run/tiling.hpp"

namespace starpath {

/// One of the columns x rows parts that a stage divides tiles into; by default all of the tile.
struct Portion {
  int columns = 1, rows = 1, number = 0;  // row by row from 0

  bool is_whole() const { return columns * rows == 1; }
  friend bool operator==(const Portion&, const Portion&) = default;
};

/// Where a part of a tile lies, in working pixels of the slide.
struct PortionPlace {
  Rect core;    // empty where the tile has fewer pixels than parts
  Rect region;  // what is read for it, within the tile's region; never empty
  Rect share;   // the pixels of the tile's region that come from it when parts are joined; cover the region once
};

inline PortionPlace place_in(const Tile& tile, const Portion& portion, std::int64_t halo) {
  const std::int64_t column = portion.number % portion.columns, row = portion.number / portion.columns;
  const auto cut = [](std::int64_t begin, std::int64_t length, std::int64_t number, std::int64_t of) {
    return begin + length * number / of;
  };
  const Rect &all = tile.core, &region = tile.region;
  const std::int64_t left = cut(all.x, all.width, column, portion.columns),
                     right = cut(all.x, all.width, column + 1, portion.columns),
                     top = cut(all.y, all.height, row, portion.rows),
                     bottom = cut(all.y, all.height, row + 1, portion.rows);
  const auto rect = [](std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) {
    return Rect{x0, y0, x1 - x0, y1 - y0};
  };
  PortionPlace place{rect(left, top, right, bottom), {}, {}};
  // At least a pixel is read, so that there are data.
  place.region = intersection(
      region, rect(left - halo, top - halo, std::max(right, left + 1) + halo, std::max(bottom, top + 1) + halo));
  place.share =
      rect(column == 0 ? region.x : left, row == 0 ? region.y : top,
           column + 1 == portion.columns ? region.right() : right, row + 1 == portion.rows ? region.bottom() : bottom);
  return place;
}

}  // namespace starpath
