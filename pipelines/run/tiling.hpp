// How a slide is cut: cores that cover it once, and the regions that are read around them. Pure.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"

namespace starpath {

/// A unit of work. `region` is read: the core, a halo, and whole tissue cells around the core, cut at the slide's
/// border.
struct Tile {
  std::int64_t index;  // row-major on the whole slide, independent of the region of interest
  Rect core;
  Rect region;
};

/// "tile 3 at x=2048 y=0 (2048x1024 px)", for people; `what` is "tile".
std::string place_of(const std::string& what, std::int64_t index, const Rect& core);
/// The line about a tile at `place` that was given up after so many attempts.
std::string failure_text(const std::string& place, const std::string& reason, int attempts);

struct TilingOptions {
  std::int64_t tile = 2048;  // side of a core
  std::int64_t halo = 224;   // pixels read around a core: reach of the reconstruction (192) and of later steps
  std::int64_t cell = 256;   // side of the fixed cells that a core must see whole
  Rect roi;                  // cores are cut to it; empty for the whole slide
  std::function<bool(const Rect& core)> wanted = {};  // cores that it refuses are left out; none: all are taken
};

/// Tiles in row-major order. They lie on a grid that starts at the slide's origin, so that a region of interest cuts
/// the same tiles as the whole slide does. No tile when the region of interest misses the slide.
std::vector<Tile> cut_tiles(std::int64_t width, std::int64_t height, const TilingOptions& options);

/// Pixels that are read for the largest of them; 0 for none.
std::int64_t largest_region(const std::vector<Tile>& tiles);

}  // namespace starpath
