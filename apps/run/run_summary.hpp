// A run from its request to the exit code of its command.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"
#include "runs/run_pipeline.hpp"

namespace starpath::apps {

/// Runs and tells progress, then prints the result on stdout as the user asked for: one JSON line, the last of a --json
/// run; or the files, then one line of totals and shares. Prints on stderr what went wrong, if anything. Returns the
/// exit code (docs/robustness.md).
int run_and_tell(const RunRequest& request, RunSteps& steps);
/// With a report that the steps tell of, too.
int run_and_tell(const RunRequest& request, RunSteps& steps, ProgressReport& report);

/// Tells that the user stopped the command before `files` were written, and how to go on. Returns the exit code.
int tell_stopped(const std::vector<std::filesystem::path>& files, const std::string& remedy);

}  // namespace starpath::apps
