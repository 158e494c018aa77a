// Tile names by regular expression.
#include "io/tile_names.hpp"

#include <regex>

namespace starpath::io {

std::optional<TileName> parse_tile_name(const std::string& stem) {
  constexpr auto flags = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;
  // At most nine digits: always fits, and no slide has more.
  static const std::regex row_column("(?:|.*[^a-z])r(?:ow)?[_-]?([0-9]{1,9})[_-]?c(?:ol)?[_-]?([0-9]{1,9})", flags);
  static const std::regex offset("(?:|.*[^a-z])x[_-]?([0-9]{1,9})[_-]?y[_-]?([0-9]{1,9})", flags);
  static const std::regex plain("(?:|.*[^0-9])([0-9]{1,9})[_-]([0-9]{1,9})", flags);
  if (stem.size() > 255) return std::nullopt;
  std::smatch match;
  const auto number = [&](std::size_t i) { return std::int64_t{std::stol(match[i].str())}; };
  if (std::regex_match(stem, match, row_column)) return TileName{TileNaming::row_column, number(2), number(1)};
  if (std::regex_match(stem, match, offset)) return TileName{TileNaming::offset, number(1), number(2)};
  if (std::regex_match(stem, match, plain)) return TileName{TileNaming::plain, number(1), number(2)};
  return std::nullopt;
}

}  // namespace starpath::io
