// Which tables a database has.
#pragma once
#include <string>
#include <string_view>

#include "base/sqlite.hpp"

namespace starpath {

bool has_table(const Database& database, std::string_view name);

/// The names of a table's columns, joined by commas. "" when there is no such table, and for
/// a view, a virtual table and a table with computed columns.
std::string columns_of(const Database& database, std::string_view table);

}  // namespace starpath
