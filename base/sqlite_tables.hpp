// Which tables a database has.
#pragma once
#include <string>
#include <string_view>

#include "base/sqlite.hpp"

namespace starpath {

/// What a table should be.
struct TableColumns {
  const char* table;
  const char* columns;  // their names in their order, joined by commas
};

bool has_table(const Database& database, std::string_view name);

/// The names of a table's columns, joined by commas. "" when there is no such table, and for
/// a view, a virtual table and a table with computed columns.
std::string columns_of(const Database& database, std::string_view table);

}  // namespace starpath
