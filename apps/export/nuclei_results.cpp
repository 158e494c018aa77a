// The finished results that exports are made from.
#include "apps/export/nuclei_results.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/checksums.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

namespace {

/// What to do about results of another pipeline.
std::string other_way_of(const Database& database) {
  const std::pair<const char*, const char*> ways[] = {
      {io::kNbiaTables.units, "exports of nbia are written by `starpath nbia run --resume`"},
      {io::kRowTables.units, "results.csv of a workflow is written by `starpath workflow --resume`"}};
  for (const auto& [table, way] : ways)
    if (has_table(database, table)) return way;
  return "give results of `starpath segment`";
}

void check_nuclei(const std::string& path) {
  const Database database(path, Database::Open::existing);
  io::check_result_schema(database);
  if (!has_table(database, io::kSegmentationTables.derived))
    throw Error(ErrorKind::mismatch, fmt::format("{}: holds no nuclei; {}", path, other_way_of(database)));
  if (!io::is_finished(database))
    throw Error(ErrorKind::mismatch, path + ": its run was stopped before its end; go on with --resume");
  io::check_tables(database, io::kSegmentationTables);
  io::check_integrity(database);
  io::check_contents(database, io::kSegmentationTables);
}

}  // namespace

fs::path results_at(const fs::path& path) {
  if (fs::is_directory(path)) return path / "results.sqlite";
  if (path.filename() == "study.sqlite")
    throw Error(ErrorKind::usage, path.string() + ": give the folder that it is in: that names the study");
  return path;
}

io::ResultStore open_nuclei(const fs::path& file) {
  check_nuclei(file.string());
  return io::ResultStore::open(file.string());
}

std::unique_ptr<io::Slide> slide_of(const io::ResultStore& store, const std::string& said) {
  const std::string path = said.empty() ? store.info().slide_path : said;
  std::unique_ptr<io::Slide> slide;
  try {
    slide = io::open_slide(path);
  } catch (const Error& error) {
    if (!said.empty()) throw;
    throw Error(error.kind(),
                fmt::format("{}; the overlay shows the slide: say where it is with --slide", error.what()));
  }
  const std::string wanted = store.key().slide_fingerprint, found = slide->info().fingerprint;
  if (wanted != found)
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: is not the slide of the results (fingerprint {}, theirs is {}); say where that is with "
                    "--slide",
                    path, found, wanted));
  return slide;
}

}  // namespace starpath::apps
