// Which names the files in a folder of tiles may have, and where in the slide a name puts its tile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace starpath::io {

/// How a tile's name gives its place. The text before the numbers (up to a character that is no letter, or no digit) is
/// free.
enum class TileNaming {
  row_column,  // tile_r000_c001, row3-col12, r0c0, c1_r0
  offset,  // slide_x1024_y0, y=0,x=1024, left-1024_top-0: in pixels (in tiles, when the smallest step between them is
           // 1)
  plain,   // 0_1, level-12_7, 3-4: column, then row, as Deep Zoom has it, or left, then top, in pixels
};

struct TileName {
  TileNaming naming;
  std::int64_t x, y;                   // column and row, or pixels
  std::int64_t width = 0, height = 0;  // pixels, where the name says them; else 0
};

/// The place in a file name without folder and extension; nothing when it follows none of the patterns. Behind x and y
/// may stand a size, and what never differs (z, t, a level or magnification): QuPath's names "slide
/// [d=2,x=0,y=512,w=512,h=512]" are of this kind, also with other characters for the brackets, commas and equals signs.
/// Their numbers are divided by the downsample d. Of four plain numbers the last two count; `with_size`: the first two,
/// and the others are a size.
std::optional<TileName> parse_tile_name(const std::string& stem, bool with_size = false);

/// "row and column", ..., for people.
const char* describe(TileNaming naming);

}  // namespace starpath::io
