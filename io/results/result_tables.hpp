// The tables of a pipeline's results, as merging and checking see them.
#pragma once
#include <span>

namespace starpath::io {

struct ResultTables {
  const char* units;                     // one row a unit of work: its number, its state, ...
  const char* unit;                      // the column of that number
  std::span<const char* const> of_unit;  // more tables, whose `object` holds the number in its upper half
  const char* derived;  // what is made from the rest when all is there, and so is void after a change; may be empty
};

inline constexpr const char* kTablesOfTile[] = {"objects", "features"};
inline constexpr ResultTables kSegmentationTables{"tiles", "tile", kTablesOfTile, "accepted"};
inline constexpr ResultTables kNbiaTables{"fields", "field", {}, ""};

}  // namespace starpath::io
