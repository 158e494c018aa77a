// How a slide is cut into fields.
#include "pipelines/nbia/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace starpath {

std::vector<Field> cut_fields(std::int64_t width, std::int64_t height, int side, const Rect& roi) {
  if (width < side || height < side)
    throw Error(ErrorKind::usage, fmt::format("it has {}x{} px at the model's resolution, less than one field of "
                                              "{} px; give a larger slide or a model with smaller levels",
                                              width, height, side));
  const std::int64_t columns = (width + side - 1) / side;
  std::vector<Field> fields;
  for (const Tile& tile : cut_tiles(width, height, {.tile = side, .halo = 0, .cell = 1, .roi = roi})) {
    const std::int64_t x = tile.index % columns * side, y = tile.index / columns * side;
    fields.push_back({tile.index, intersection({x, y, side, side}, {0, 0, width, height}), std::min(x, width - side),
                      std::min(y, height - side)});
  }
  return fields;
}

}  // namespace starpath
