// From SQLite's own tables.
#include "base/sqlite_tables.hpp"

namespace starpath {

bool has_table(const Database& database, std::string_view name) {
  Statement found = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  found.bind(1, name);
  return found.step();
}

std::string columns_of(const Database& database, std::string_view table) {
  Statement kind = database.prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'");
  kind.bind(1, table);
  if (!kind.step()) return "";
  Statement column = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?) ORDER BY cid");
  column.bind(1, table);
  std::string columns;
  while (column.step()) {
    if (column.integer(1) != 0) return "";  // computed
    columns += (columns.empty() ? "" : ",") + column.text(0);
  }
  return columns;
}

}  // namespace starpath
