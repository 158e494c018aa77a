// Rows that belong together, and their checksums.
#include "io/results/contents_check.hpp"

#include <fmt/format.h>

#include "io/results/checksums.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

/// The numbers of units, without which the arithmetic on those of objects would overflow.
void check_unit_numbers(const Database& database, const ResultTables& tables) {
  Statement found = database.prepare(
      fmt::format("SELECT {0} FROM {1} WHERE {0} < 0 OR {0} >= {2}", tables.unit, tables.units, kMostUnits));
  if (found.step()) throw damaged_results(database, fmt::format("{} {}", tables.units, found.integer(0)));
}

/// Every unit has as many rows in the other tables as it says, and these have no others.
void check_rows_of_units(const Database& database, const ResultTables& tables) {
  for (const char* table : tables.of_unit) {
    Statement found = database.prepare(fmt::format(
        "SELECT {0} FROM {1} WHERE objects IS NOT (SELECT count(*) FROM {2} WHERE object >= {1}.{0} << 32 AND "
        "object < ({1}.{0} + 1) << 32)",
        tables.unit, tables.units, table));
    if (found.step())
      throw damaged_results(database,
                            fmt::format("table '{}' lacks rows of {} {}", table, tables.unit, found.integer(0)));
    Statement orphan =
        database.prepare(fmt::format("SELECT object >> 32 FROM {2} WHERE object >> 32 NOT IN (SELECT {0} FROM {1})",
                                     tables.unit, tables.units, table));
    if (orphan.step())
      throw damaged_results(database, fmt::format("table '{}' has rows of {} {}, which is not there", table,
                                                  tables.unit, orphan.integer(0)));
  }
}

/// Objects are numbered by their tile, and each has its features.
void check_objects(const Database& database, const ResultTables& tables) {
  if (tables.of_unit.empty()) return;
  Statement found = database.prepare(
      "SELECT objects.object FROM objects LEFT JOIN features ON features.object = objects.object"
      " WHERE features.object IS NULL OR objects.tile IS NOT objects.object >> 32");
  if (found.step()) throw damaged_results(database, fmt::format("object {} is not whole", found.integer(0)));
}

}  // namespace

std::int64_t check_contents(const Database& database, const ResultTables& tables) {
  check_unit_numbers(database, tables);
  check_rows_of_units(database, tables);
  check_objects(database, tables);
  return check_checksums(database, tables, result_layout(database) >= kGuardedLayout);
}

void bring_up_to_date(Database& database, const ResultTables& tables) {
  if (result_layout(database) != kGuardedLayout - 1) return;
  check_contents(database, tables);
  Transaction transaction(database);
  Checksums(database, tables).all_written();
  database.execute(fmt::format("PRAGMA user_version = {}", kGuardedLayout));
  transaction.commit();
}

}  // namespace starpath::io
