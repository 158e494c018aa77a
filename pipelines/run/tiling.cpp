// How a slide is cut into tiles.
#include "pipelines/run/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace starpath {
namespace {

std::int64_t round_down(std::int64_t value, std::int64_t step) { return value / step * step; }
std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

Rect region_of(const Rect& core, const Rect& slide, const TilingOptions& options) {
  const std::int64_t x0 = std::min(core.x - options.halo, round_down(core.x, options.cell));
  const std::int64_t y0 = std::min(core.y - options.halo, round_down(core.y, options.cell));
  const std::int64_t x1 = std::max(core.right() + options.halo, round_up(core.right(), options.cell));
  const std::int64_t y1 = std::max(core.bottom() + options.halo, round_up(core.bottom(), options.cell));
  return intersection({x0, y0, x1 - x0, y1 - y0}, slide);
}

}  // namespace

std::string place_of(const std::string& what, std::int64_t index, const Rect& core) {
  return fmt::format("{} {} at x={} y={} ({}x{} px)", what, index, core.x, core.y, core.width, core.height);
}

std::string failure_text(const std::string& place, const std::string& reason, int attempts) {
  return fmt::format("{}: {} ({} attempts)", place, reason, attempts);
}

std::vector<Tile> cut_tiles(std::int64_t width, std::int64_t height, const TilingOptions& options) {
  const Rect slide{0, 0, width, height};
  const Rect wanted = options.roi.empty() ? slide : intersection(options.roi, slide);
  std::vector<Tile> tiles;
  if (wanted.empty()) return tiles;
  const std::int64_t columns = round_up(width, options.tile) / options.tile;
  for (std::int64_t y = round_down(wanted.y, options.tile); y < wanted.bottom(); y += options.tile) {
    for (std::int64_t x = round_down(wanted.x, options.tile); x < wanted.right(); x += options.tile) {
      const Rect core = intersection({x, y, options.tile, options.tile}, wanted);
      if (options.wanted && !options.wanted(core)) continue;
      tiles.push_back({y / options.tile * columns + x / options.tile, core, region_of(core, slide, options)});
    }
  }
  return tiles;
}

std::int64_t largest_region(const std::vector<Tile>& tiles) {
  std::int64_t largest = 0;
  for (const Tile& tile : tiles) largest = std::max(largest, tile.region.width * tile.region.height);
  return largest;
}

}  // namespace starpath
