// The folder that a run writes into.
#pragma once
#include <filesystem>
#include <memory>

#include "base/own_file.hpp"
#include "io/results/output_lock.hpp"
#include "io/results/result_store.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// The results file of a run.
std::filesystem::path results_file(const RunRequest& request);

/// Whether a file is a table of the rows that `starpath workflow` exports.
bool is_rows_export(const std::filesystem::path& file);

/// What `starpath workflow` exports its rows to.
inline constexpr NamedOutput kRowsOutput = {"results.csv", {"starpath", is_rows_export}};

/// Whether there is a file that a run of these request may go on with or replace. Throws Error{output} when it is a
/// link to nothing, unless that may be replaced.
bool holds_file(const std::filesystem::path& file, const RunRequest& request);

/// Makes the folder of the results and takes it for this job. To be held until the last export is written. Throws
/// Error{output} when the folder cannot be made, or is in use by another job.
std::unique_ptr<io::OutputLock> lock_output(const RunRequest& request);

/// What the results of a run are made with.
struct ResultsOfRun {
  io::RunKey key;
  io::RunInfo info;
};

/// Opens the results to go on with. Throws as io::ResultStore, and Error{mismatch} when results that are said to be of
/// this run describe another slide, grid or region.
io::ResultStore resume_results(const RunRequest& request, const ResultsOfRun& run, const io::ResultTables& tables);

/// Opens the results, new or to go on with; those that are replaced go with their exports. Parts that
/// ranks of a job before have left are merged and removed. The folder is locked. Throws as resume_results, and
/// Error{output} when there are results that the user did not speak of, when an export cannot be removed, and when
/// --overwrite would replace a file that is no results file of Starpath.
io::ResultStore open_results(const RunRequest& request, const ResultsOfRun& run, const io::ResultTables& tables);

}  // namespace starpath
