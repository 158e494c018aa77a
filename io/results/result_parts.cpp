// Merging results files.
#include "io/results/result_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

/// Units that have failed in part have rows, and the units of `wanted` are to come instead.
void remove_rows_of_failed(Database& database, const ResultTables& tables, const std::string& wanted) {
  if (tables.of_unit.empty()) return;
  Statement failed = database.prepare(fmt::format("SELECT {0} FROM main.{1} WHERE state = 'failed' AND {0} IN ({2})",
                                                  tables.unit, tables.units, wanted));
  std::vector<std::int64_t> units;
  while (failed.step()) units.push_back(failed.integer(0));
  for (const char* table : tables.of_unit) {
    Statement remove = database.prepare(fmt::format("DELETE FROM main.{} WHERE object >= ? AND object < ?", table));
    for (const std::int64_t unit : units) remove.run(unit << 32, (unit + 1) << 32);
  }
}

void take_over(Database& database, const ResultTables& tables, Checksums& checksums) {
  // What has failed replaces nothing that is done.
  const std::string wanted = fmt::format(
      "SELECT {0} FROM part.{1} AS theirs WHERE state <> 'failed' OR NOT EXISTS"
      " (SELECT 1 FROM main.{1} AS ours WHERE ours.{0} = theirs.{0} AND ours.state <> 'failed')",
      tables.unit, tables.units);
  Transaction transaction(database);
  if (tables.derived != nullptr) {
    for (const TableRows& each : tables.derived->tables)
      database.execute(fmt::format("DELETE FROM main.{}", each.table));
    checksums.part_gone(tables.derived->number);
  }
  unmark_finished(database, checksums);
  remove_rows_of_failed(database, tables, wanted);
  for (const char* table : tables.of_unit)
    database.execute(
        fmt::format("INSERT INTO main.{0} SELECT * FROM part.{0} WHERE object >> 32 IN ({1})"
                    " ON CONFLICT DO NOTHING",
                    table, wanted));
  database.execute(
      fmt::format("INSERT OR REPLACE INTO main.checksums SELECT * FROM part.checksums WHERE unit IN ({})", wanted));
  // Last: it decides what is wanted.
  database.execute(fmt::format("INSERT OR REPLACE INTO main.{1} SELECT * FROM part.{1} WHERE {0} IN ({2})", tables.unit,
                               tables.units, wanted));
  checksums.seal();
  transaction.commit();
}

/// For a file without checksums: what comes from it could not be guarded.
void check_is_empty(const Database& database, const ResultTables& tables) {
  if (database.integer(fmt::format("SELECT count(*) FROM {}", tables.units)) != 0)
    throw damaged_results(database, "it has no checksums");
}

}  // namespace

std::filesystem::path part_file(const std::filesystem::path& results, int rank) {
  return results.parent_path() /
         fmt::format("{}.rank-{}{}", results.stem().string(), rank, results.extension().string());
}

std::vector<std::filesystem::path> part_files(const std::filesystem::path& results) {
  const std::string start = results.stem().string() + ".rank-";
  std::vector<std::filesystem::path> parts;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(results.parent_path(), error))
    if (entry.path().extension() == results.extension() && entry.path().filename().string().starts_with(start))
      parts.push_back(entry.path());
  std::sort(parts.begin(), parts.end());
  return parts;
}

std::int64_t merge_part(const std::filesystem::path& results, const std::filesystem::path& part, const RunKey& key,
                        const ResultTables& tables) {
  std::int64_t units = 0;
  {
    const Database other(part, Database::Open::existing);
    check_result_schema(other);
    check_same_run(other, key);
    check_tables(other, tables);
    check_integrity(other);
    if (check_contents(other, tables) == 0) check_is_empty(other, tables);
    units = other.integer(fmt::format("SELECT count(*) FROM {}", tables.units));
  }
  Database database(results, Database::Open::existing);
  check_result_schema(database);
  check_same_run(database, key);
  check_tables(database, tables);
  lock_results_file(database, Commits::few_large);
  bring_up_to_date(database, tables);
  Checksums checksums(database, tables);
  database.prepare("ATTACH ? AS part").run(std::string_view(part.native()));
  take_over(database, tables, checksums);
  return units;
}

void remove_results_file(const std::filesystem::path& path) {
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + suffix, error);
}

}  // namespace starpath::io
