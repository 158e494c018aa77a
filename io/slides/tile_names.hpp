// Which names the files in a folder of tiles may have, and where in the slide a name puts its tile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace starpath::io {

/// How a tile's name gives its place. The text before the numbers (up to a character that is no letter, or no digit) is
/// free.
enum class TileNaming {
  row_column,  // tile_r000_c001, row3-col12, r0c0: row, then column
  offset,      // slide_x1024_y0, x0y0: left and top, in pixels (in tiles, when the smallest step between them is 1)
  plain,       // 0_1, level-12_7, 3-4: column, then row, as Deep Zoom has it
};

struct TileName {
  TileNaming naming;
  std::int64_t x, y;  // column and row, or pixels (offset)
};

/// The place in a file name without folder and extension; nothing when it follows none of the patterns.
std::optional<TileName> parse_tile_name(const std::string& stem);

}  // namespace starpath::io
