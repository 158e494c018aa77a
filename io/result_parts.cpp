// Merging results files.
#include "io/result_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/sqlite.hpp"
#include "io/result_schema.hpp"
#include "io/results_file.hpp"

namespace starpath::io {
namespace {

/// Tiles of the part that are to be taken over.
constexpr const char* wanted =
    "SELECT tile FROM part.tiles AS theirs WHERE state <> 'failed' OR NOT EXISTS"
    " (SELECT 1 FROM main.tiles AS ours WHERE ours.tile = theirs.tile AND ours.state <> 'failed')";

void take_over(Database& database) {
  Transaction transaction(database);
  database.execute("DELETE FROM main.accepted");
  for (const char* table : {"objects", "features"}) {
    // An object's number holds its tile (docs/results.md). What is replaced has failed and so has no objects.
    database.execute(
        fmt::format("INSERT INTO main.{0} SELECT * FROM part.{0} WHERE object >> 32 IN ({1})"
                    " ON CONFLICT DO NOTHING",
                    table, wanted));
  }
  // Last: it decides what is wanted.
  database.execute(
      fmt::format("INSERT OR REPLACE INTO main.tiles SELECT * FROM part.tiles WHERE tile IN ({})", wanted));
  transaction.commit();
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

std::int64_t merge_part(const std::filesystem::path& results, const std::filesystem::path& part, const RunKey& key) {
  std::int64_t tiles = 0;
  {
    const Database other(part, Database::Open::existing);
    check_result_schema(other);
    check_same_run(other, key);
    check_integrity(other);
    tiles = other.integer("SELECT count(*) FROM tiles");
  }
  Database database(results, Database::Open::existing);
  check_result_schema(database);
  check_same_run(database, key);
  lock_results_file(database, Commits::few_large);
  database.prepare("ATTACH ? AS part").run(std::string_view(part.native()));
  take_over(database);
  return tiles;
}

void remove_results_file(const std::filesystem::path& path) {
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + suffix, error);
}

}  // namespace starpath::io
