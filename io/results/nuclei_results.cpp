// The finished results that exports are made from.
#include "io/results/nuclei_results.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::io {

namespace fs = std::filesystem;

namespace {

/// What to do about results of another pipeline.
std::string other_way_of(const Database& database) {
  const std::pair<const char*, const char*> ways[] = {
      {kNbiaTables.units, "exports of nbia are written by `starpath nbia run --resume`"},
      {kRowTables.units, "results.csv of a workflow is written by `starpath workflow --resume`"}};
  for (const auto& [table, way] : ways)
    if (has_table(database, table)) return way;
  return "give results of `starpath segment`";
}

void check_nuclei(const std::string& path) {
  const Database database(path, Database::Open::existing);
  check_result_schema(database);
  if (!has_table(database, kSegmentationTables.units))
    throw Error(ErrorKind::mismatch, fmt::format("{}: holds no nuclei; {}", path, other_way_of(database)));
  if (!is_finished(database))
    throw Error(ErrorKind::mismatch, path + ": its run was stopped before its end; go on with --resume");
  check_tables(database, kSegmentationTables);
  check_integrity(database);
  check_contents(database, kSegmentationTables);
}

}  // namespace

fs::path results_at(const fs::path& path) {
  if (fs::is_directory(path)) return path / "results.sqlite";
  if (path.filename() == "study.sqlite")
    throw Error(ErrorKind::usage, path.string() + ": give the folder that it is in: that names the study");
  return path;
}

ResultStore open_nuclei(const fs::path& file) {
  check_nuclei(file.string());
  return ResultStore::open(file.string());
}

}  // namespace starpath::io
