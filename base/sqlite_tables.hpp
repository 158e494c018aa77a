// Which tables a database has.
#pragma once
#include <string>
#include <string_view>

#include "base/sqlite.hpp"

namespace starpath {

bool has_table(const Database& database, std::string_view name);

/// Names of a table's columns with commas between them; "" when there is none, or one that is no plain table.
std::string columns_of(const Database& database, std::string_view table);

}  // namespace starpath
