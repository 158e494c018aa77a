// What the checksums of a database are of. Two kinds of databases have them: results.sqlite and study.sqlite.
#pragma once
#include <cstdint>
#include <span>

namespace starpath::io {

/// All rows of a table, and the columns that bring them into an order.
struct TableRows {
  const char* table;
  const char* order;
};

/// Tables that have one checksum together. A table that is not there counts as one without rows.
struct GuardedPart {
  std::int64_t number;  // the row of this part in the table `checksums`: negative, but not kSeal
  const char* name;     // in messages: "table accepted", "the classes"
  std::span<const TableRows> tables;
};

/// A database whose rows belong to units of work (tiles, fields, slides) or to parts. Every unit and every part has a
/// checksum.
struct Guard {
  const char* units;                          // the table that has one row a unit: its number, its state, ...
  const char* unit;                           // the column of that number
  std::span<const char* const> rows_of_unit;  // queries for the rows of the unit with the number ?1
  std::span<const GuardedPart> parts;
};

}  // namespace starpath::io
