// CRC-32 of rows as SQLite gives them back.
#include "io/results/checksums.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/sqlite_tables.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/row_checksum.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

// Stand for whole tables among the units: `run`, and the derived one.
constexpr std::int64_t kRun = -1, kDerived = -2;

/// The rows of one unit, table by table, each asking for the unit's number as its first and last parameter.
std::vector<Statement> rows_of_unit(const Database& database, const ResultTables& tables) {
  std::vector<Statement> statements;
  statements.push_back(database.prepare(fmt::format("SELECT * FROM {} WHERE {} = ?1", tables.units, tables.unit)));
  for (const char* table : tables.of_unit)
    statements.push_back(database.prepare(
        fmt::format("SELECT * FROM {} WHERE object >= ?1 << 32 AND object < (?1 + 1) << 32 ORDER BY object", table)));
  return statements;
}

constexpr const char* kRowsOfRun = "SELECT key, value FROM run ORDER BY key";

std::uint32_t checksum_of(std::vector<Statement>& rows, std::int64_t unit) {
  RowChecksum checksum;
  for (Statement& statement : rows) {
    statement.bind(1, unit);
    checksum.add(statement);
  }
  return checksum.value();
}

std::uint32_t checksum_of(Statement& table) {
  RowChecksum checksum;
  checksum.add(table);
  return checksum.value();
}

std::optional<Statement> rows_of_derived(const Database& database, const ResultTables& tables) {
  if (*tables.derived == '\0') return std::nullopt;
  return database.prepare(fmt::format("SELECT * FROM {} ORDER BY id", tables.derived));
}

/// The numbers of units, without which the arithmetic on those of objects would overflow.
void check_units(const Database& database, const ResultTables& tables) {
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

/// Where one unit is guarded, all are: a checksum that is taken away hides no change.
void check_all_guarded(const Database& database, const ResultTables& tables) {
  Statement unguarded = database.prepare(
      fmt::format("SELECT {0} FROM {1} WHERE {0} NOT IN (SELECT unit FROM checksums)", tables.unit, tables.units));
  if (unguarded.step())
    throw damaged_results(database, fmt::format("{} {} has no checksum", tables.unit, unguarded.integer(0)));
}

const char* made(Database& database, const char* first_statement) {
  database.execute("CREATE TABLE IF NOT EXISTS checksums (unit INTEGER PRIMARY KEY, checksum INTEGER NOT NULL)");
  return first_statement;
}

}  // namespace

Checksums::Checksums(Database& database, const ResultTables& tables)
    : rows_(rows_of_unit(database, tables)),
      run_(database.prepare(made(database, kRowsOfRun))),
      put_(database.prepare("INSERT OR REPLACE INTO checksums VALUES (?, ?)")),
      remove_(database.prepare("DELETE FROM checksums WHERE unit = ?")),
      derived_(rows_of_derived(database, tables)) {}

void Checksums::put(std::int64_t unit, std::uint32_t checksum) { put_.run(unit, std::int64_t{checksum}); }

void Checksums::unit_written(std::int64_t unit) { put(unit, checksum_of(rows_, unit)); }

void Checksums::run_written() { put(kRun, checksum_of(run_)); }

void Checksums::derived_written() {
  if (derived_) put(kDerived, checksum_of(*derived_));
}

void Checksums::derived_gone() { remove_.run(kDerived); }

std::int64_t check_contents(const Database& database, const ResultTables& tables) {
  check_units(database, tables);
  check_rows_of_units(database, tables);
  check_objects(database, tables);
  if (!has_table(database, "checksums")) return 0;
  if (database.integer("SELECT count(*) FROM checksums") > 0) check_all_guarded(database, tables);
  std::vector<Statement> rows = rows_of_unit(database, tables);
  Statement run = database.prepare(kRowsOfRun);
  std::optional<Statement> derived = rows_of_derived(database, tables);
  Statement guarded = database.prepare("SELECT unit, checksum FROM checksums ORDER BY unit");
  std::int64_t units = 0;
  while (guarded.step()) {
    const std::int64_t unit = guarded.integer(0);
    if (unit < (derived ? kDerived : kRun) || unit >= kMostUnits)
      throw damaged_results(database, fmt::format("checksum of {}", unit));
    const std::uint32_t found = unit == kDerived ? checksum_of(*derived)
                                : unit == kRun   ? checksum_of(run)
                                                 : checksum_of(rows, unit);
    if (std::int64_t{found} != guarded.integer(1)) {
      const std::string place = unit == kDerived ? fmt::format("table {}", tables.derived)
                                : unit == kRun   ? "table run"
                                                 : fmt::format("{} {}", tables.unit, unit);
      throw damaged_results(database, place + " is not what was written");
    }
    units += unit >= 0;
  }
  return units;
}

}  // namespace starpath::io
