// The finished results that exports are made from.
#include "apps/export/nuclei_results.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

namespace {

void check_nuclei(const std::string& path) {
  const Database database(path, Database::Open::existing);
  io::check_result_schema(database);
  if (database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'accepted'") == 0)
    throw Error(ErrorKind::mismatch,
                path + ": holds no nuclei; exports of nbia are written by `starpath nbia run --resume`");
  if (!io::is_finished(database))
    throw Error(ErrorKind::mismatch, path + ": its run was stopped before its end; go on with --resume");
  io::check_tables(database, io::kSegmentationTables);
  io::check_integrity(database);
  io::check_contents(database, io::kSegmentationTables);
}

}  // namespace

fs::path results_at(const fs::path& path) { return fs::is_directory(path) ? path / "results.sqlite" : path; }

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
