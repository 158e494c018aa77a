// What the commands that run a pipeline over a slide share.
#pragma once
#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"
#include "apps/run/run_outcome.hpp"
#include "io/exports/export.hpp"
#include "io/results/output_lock.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath::apps {

/// What is asked of every run.
struct RunArguments {
  std::string input, out;
  SessionOptions session;
  std::vector<std::int64_t> roi;
  std::vector<std::string> exports;
  bool resume = false, overwrite = false, json = false, quiet = false;
  double patience = 60;  ///< seconds after which a silent rank is lost
  std::string record;    ///< file to leave for a comparison; empty: none
  TaskLog log;           ///< what goes into it

  /// Where a pipeline shall note its tasks; nullptr without --record. Stays where these arguments are.
  TaskLog* wanted_log() { return record.empty() ? nullptr : &log; }
};

/// INPUT, --out, --policy, --cpus, --gpus, --roi ("Only `what` in …"), --export (any of `exports`), --resume,
/// --overwrite, --json, --quiet, --record, --patience.
void add_run_options(CLI::App& command, RunArguments& arguments, const std::string& what,
                     const std::vector<std::string>& exports);

template <class Source, std::size_t n>
std::vector<std::string> names_of(const std::array<io::Export<Source>, n>& exports) {
  std::vector<std::string> names;
  for (const io::Export<Source>& each : exports) names.emplace_back(each.name);
  return names;
}

/// Lets SIGINT and SIGTERM set what it returns; one of them a second or more later ends the program at once, which is
/// safe too.
const std::atomic<bool>& catch_stop_signals();

/// The region of interest comes in level-0 pixels, as viewers show them, and is grown to whole working pixels. Empty
/// for an empty list. Throws Error{usage}.
Rect working_roi(const std::vector<std::int64_t>& roi, double scale);

/// The results file of a run.
std::filesystem::path results_file(const RunArguments& arguments);

/// Makes the folder of the results and takes it for this job. To be held until the last export is written. Throws
/// Error{output} when the folder cannot be made, or is in use by another job.
std::unique_ptr<io::OutputLock> lock_output(const RunArguments& arguments);

/// Makes room for the results. Returns whether there are results to go on with; else there is no results file. Parts
/// that ranks of a job before have left are merged and removed: `create` shall make the results file when there is
/// none, `merge` take a part over. The folder is locked. Throws Error{output} when there are results that the user did
/// not speak of.
bool prepare_results(
    const RunArguments& arguments, const std::function<void(const std::filesystem::path& file)>& create,
    const std::function<void(const std::filesystem::path& file, const std::filesystem::path& part)>& merge);

/// Runs `work`; what it throws of kind output says how to go on.
void with_resume_hint(ProgressReport& report, const std::function<void()>& work);

/// Starts StarPU, runs `work` in it, and notes policy and workers in the outcome.
void compute(const RunArguments& arguments, Outcome& outcome, const std::function<void()>& work);

/// Writes one export if it was asked for. One that the slide cannot be read for is told and noted, not thrown.
void write_export(const RunArguments& arguments, const char* what, const char* name, ProgressReport& report,
                  Outcome& outcome, const std::function<void(const std::filesystem::path&)>& exporter);

/// Those of `exports` that were asked for.
template <class Source, std::size_t n>
void write_exports(const RunArguments& arguments, const std::array<io::Export<Source>, n>& exports,
                   const Source& source, ProgressReport& report, Outcome& outcome) {
  for (const io::Export<Source>& each : exports)
    write_export(arguments, each.name, each.file, report, outcome,
                 [&](const std::filesystem::path& file) { each.write(source, file); });
}

/// Tells the outcome as the user asked for, and gives the exit code.
int tell(const RunArguments& arguments, const Outcome& outcome);

}  // namespace starpath::apps
