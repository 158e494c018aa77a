// Results of a run, and those in the way.
#include "runs/output_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/field_exports.hpp"
#include "io/outputs/text_start.hpp"
#include "io/results/result_parts.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/result_tables.hpp"
#include "io/results/same_grid.hpp"
#include "pipelines/declared/tile_columns.hpp"

namespace starpath {

namespace fs = std::filesystem;

namespace {

std::vector<NamedOutput> exports_of(const fs::path& file) {
  std::vector<NamedOutput> names;
  try {
    const Database results(file.string(), Database::Open::existing);
    if (has_table(results, io::kSegmentationTables.units))
      for (const auto& each : io::kNucleiExports) names.push_back(each.output());
    if (has_table(results, io::kNbiaTables.units))
      for (const auto& each : io::kFieldExports) names.push_back(each.output());
    if (has_table(results, io::kRowTables.units)) names.push_back(kRowsOutput);
  } catch (const Error&) {
    names.clear();
  }
  return names;
}

/// Removes the exports beside `results`, by the names that runs of its kind give them, but no file that this process
/// reads. Results that are damaged say no kind: what is beside them stays. Throws Error{output} when one cannot be
/// removed.
void remove_exports_of(const fs::path& results) {
  for (const auto& [name, kind] : exports_of(results)) {
    const fs::path file = results.parent_path() / name;
    std::error_code error;
    if (!is_own_file(file, kind) || is_input(file)) continue;
    if (!fs::remove(file, error) && error)
      throw Error(ErrorKind::output, fmt::format("{}: was made from the results that --overwrite replaces, and cannot "
                                                 "be removed ({}); remove it, or choose another --out",
                                                 file.string(), error.message()));
  }
}

}  // namespace

fs::path results_file(const RunRequest& request) { return fs::path(request.out) / "results.sqlite"; }

bool is_rows_export(const fs::path& file) {
  return io::has_columns(file, fmt::format("{}", fmt::join(kTileColumns, ",")));
}

bool holds_file(const fs::path& file, const RunRequest& request) {
  std::error_code error;
  if (fs::exists(file, error)) return true;
  if (fs::is_symlink(fs::symlink_status(file, error)) && !request.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{}: is a link to a file that is not there; bring that back, replace the link with "
                            "--overwrite, or choose another --out",
                            file.string()));
  return false;
}

std::unique_ptr<io::OutputLock> lock_output(const RunRequest& request) {
  std::error_code error;
  fs::create_directories(request.out, error);
  if (error)
    throw Error(ErrorKind::output, fmt::format("{}: cannot be made as the output folder ({}); choose another --out",
                                               request.out, error.message()));
  return std::make_unique<io::OutputLock>(request.out);
}

io::ResultStore resume_results(const RunRequest& request, const ResultsOfRun& run, const io::ResultTables& tables) {
  io::ResultStore results = io::ResultStore::resume(results_file(request), run.key, tables);
  if (!io::same_grid(results.info(), run.info))
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: is damaged (it describes another grid than that of {}); move it away and run again",
                            results_file(request).string(), request.input));
  return results;
}

io::ResultStore open_results(const RunRequest& request, const ResultsOfRun& run, const io::ResultTables& tables) {
  const fs::path file = results_file(request);
  const std::vector<fs::path> parts = io::part_files(file);
  bool exists = holds_file(file, request);
  if ((exists || !parts.empty()) && !request.overwrite && !request.resume)
    throw Error(ErrorKind::output,
                fmt::format("{} holds results already: continue them with --resume, replace them with "
                            "--overwrite, or choose another --out",
                            file.string()));
  if (!exists || !request.resume) {
    check_may_replace(file, io::kResultsOutput.kind, "move it away, or choose another --out");
    if (exists) remove_exports_of(file);
    io::remove_results_file(file);
    exists = false;
  }
  for (const fs::path& part : parts) {
    if (request.resume) {
      if (!exists) io::ResultStore::create(file, run.key, run.info, tables);
      exists = true;
      io::merge_part(file, part, run.key, tables);
    }
    io::remove_results_file(part);
  }
  return exists ? resume_results(request, run, tables) : io::ResultStore::create(file, run.key, run.info, tables);
}

}  // namespace starpath
