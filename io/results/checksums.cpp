// CRC-32 of rows as SQLite gives them back.
#include "io/results/checksums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/sqlite_tables.hpp"
#include "io/results/row_checksum.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

std::vector<Statement> queries_of_unit(const Database& database, const Guard& guard) {
  std::vector<Statement> statements;
  for (const char* query : guard.rows_of_unit) statements.push_back(database.prepare(query));
  return statements;
}

std::uint32_t checksum_of(std::vector<Statement>& rows, std::int64_t unit) {
  RowChecksum checksum;
  for (Statement& statement : rows) {
    statement.bind(1, unit);
    checksum.add(statement);
  }
  return checksum.value();
}

/// Nothing where the part has no rows.
std::optional<std::uint32_t> checksum_of(const Database& database, const GuardedPart& part) {
  RowChecksum checksum;
  std::int64_t rows = 0;
  for (const TableRows& each : part.tables) {
    if (!has_table(database, each.table)) continue;
    Statement all = database.prepare(fmt::format("SELECT * FROM {} ORDER BY {}", each.table, each.order));
    rows += checksum.add(all);
  }
  return rows == 0 ? std::nullopt : std::optional(checksum.value());
}

/// What a row of the table `checksums` adds to the seal.
std::int64_t share_of_seal(std::int64_t number, std::int64_t checksum) {
  RowChecksum sum;
  sum.add(number);
  sum.add(checksum);
  return sum.value();
}

std::int64_t seal_of(const Database& database) {
  std::int64_t sum = 0;
  Statement row = database.prepare("SELECT unit, checksum FROM checksums WHERE unit <> ?");
  for (row.bind(1, kSeal); row.step();) sum += share_of_seal(row.integer(0), row.integer(1));
  return sum;
}

std::optional<std::int64_t> stored_checksum(const Database& database, std::int64_t number) {
  Statement row = database.prepare("SELECT checksum FROM checksums WHERE unit = ?");
  row.bind(1, number);
  std::optional<std::int64_t> found;
  while (row.step()) found = row.integer(0);
  return found;
}

/// Where one unit is guarded, all are: a checksum that is taken away hides no change.
void check_units_guarded(const Database& database, const Guard& guard) {
  Statement unguarded = database.prepare(
      fmt::format("SELECT {0} FROM {1} WHERE {0} NOT IN (SELECT unit FROM checksums)", guard.unit, guard.units));
  if (unguarded.step())
    throw damaged_results(database, fmt::format("{} {} has no checksum", guard.unit, unguarded.integer(0)));
}

void check_part(const Database& database, const GuardedPart& part, bool must_be_guarded) {
  const std::optional<std::int64_t> stored = stored_checksum(database, part.number);
  if (!stored && !must_be_guarded) return;
  const std::optional<std::uint32_t> found = checksum_of(database, part);
  if (found && !stored) throw damaged_results(database, fmt::format("{} has no checksum", part.name));
  if (stored && *stored != std::int64_t{found.value_or(0)})
    throw damaged_results(database, fmt::format("{} is not what was written", part.name));
}

/// Returns how many units have a checksum.
std::int64_t check_units(const Database& database, const Guard& guard) {
  std::vector<Statement> rows = queries_of_unit(database, guard);
  Statement guarded = database.prepare("SELECT unit, checksum FROM checksums ORDER BY unit");
  std::int64_t units = 0;
  while (guarded.step()) {
    const std::int64_t unit = guarded.integer(0);
    if (unit == kSeal || std::ranges::find(guard.parts, unit, &GuardedPart::number) != guard.parts.end()) continue;
    if (unit < 0) throw damaged_results(database, fmt::format("checksum of {}", unit));
    if (std::int64_t{checksum_of(rows, unit)} != guarded.integer(1))
      throw damaged_results(database, fmt::format("{} {} is not what was written", guard.unit, unit));
    ++units;
  }
  return units;
}

const char* made(Database& database, const char* first_statement) {
  database.execute("CREATE TABLE IF NOT EXISTS checksums (unit INTEGER PRIMARY KEY, checksum INTEGER NOT NULL)");
  return first_statement;
}

}  // namespace

Checksums::Checksums(Database& database, const Guard& guard)
    : database_(database),
      guard_(guard),
      rows_(queries_of_unit(database, guard)),
      get_(database.prepare(made(database, "SELECT checksum FROM checksums WHERE unit = ?"))),
      put_(database.prepare("INSERT OR REPLACE INTO checksums VALUES (?, ?)")),
      remove_(database.prepare("DELETE FROM checksums WHERE unit = ?")),
      add_to_seal_(database.prepare("INSERT INTO checksums VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET checksum ="
                                    " checksum + excluded.checksum")) {}

void Checksums::put(std::int64_t number, std::optional<std::uint32_t> checksum) {
  std::int64_t added = checksum ? share_of_seal(number, *checksum) : 0;
  for (get_.bind(1, number); get_.step();) added -= share_of_seal(number, get_.integer(0));
  if (added == 0) return;  // nothing changes
  if (checksum)
    put_.run(number, std::int64_t{*checksum});
  else
    remove_.run(number);
  add_to_seal_.run(kSeal, added);
}

void Checksums::unit_written(std::int64_t unit) { put(unit, checksum_of(rows_, unit)); }

void Checksums::part_written(std::int64_t part) {
  put(part, checksum_of(database_, *std::ranges::find(guard_.parts, part, &GuardedPart::number)));
}

void Checksums::part_gone(std::int64_t part) { put(part, std::nullopt); }

void Checksums::all_written() {
  database_.execute("DELETE FROM checksums");
  Statement units = database_.prepare(fmt::format("SELECT {} FROM {} ORDER BY 1", guard_.unit, guard_.units));
  while (units.step()) unit_written(units.integer(0));
  for (const GuardedPart& part : guard_.parts) part_written(part.number);
}

void Checksums::seal() { put_.run(kSeal, seal_of(database_)); }

std::int64_t check_checksums(const Database& database, const Guard& guard, bool all_guarded) {
  if (!has_table(database, "checksums")) {
    if (all_guarded) throw damaged_results(database, "it has no checksums");
    return 0;
  }
  const std::optional<std::int64_t> seal = stored_checksum(database, kSeal);
  const bool sealed = all_guarded || seal.has_value();
  if (sealed || database.integer("SELECT count(*) FROM checksums") > 0) check_units_guarded(database, guard);
  const std::int64_t units = check_units(database, guard);
  for (const GuardedPart& part : guard.parts) check_part(database, part, sealed);
  if (sealed && seal != seal_of(database)) throw damaged_results(database, "its checksums are not those of before");
  return units;
}

}  // namespace starpath::io
