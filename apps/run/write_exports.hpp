// The exports of a run, written at the same time.
#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <vector>

#include "apps/run/progress_report.hpp"
#include "apps/run/run_arguments.hpp"
#include "apps/run/run_outcome.hpp"
#include "base/on_threads.hpp"
#include "io/exports/export.hpp"
#include "io/exports/export_options.hpp"

namespace starpath::apps {

/// Threads for what follows a run, when all its workers have ended: as many as --cpus, or as there are cores.
int threads_after(const SessionOptions& session);

struct WantedFile {
  std::filesystem::path file;
  std::function<void(const io::ExportProgress&)> write;
};

/// Writes all, on as many threads as `threads` has. One that the slide cannot be read for is told and noted, when all
/// have ended. After another failure no further one is begun, and it is thrown.
void write_files(const std::vector<WantedFile>& wanted, ThreadBudget& threads, ProgressReport& report,
                 Outcome& outcome);

/// Those of `exports` that were asked for, each by `write(export, file, on_progress)`, which is called on several
/// threads.
template <class Source, std::size_t n, class Write>
void write_exports(const RunArguments& arguments, const std::array<io::Export<Source>, n>& exports,
                   ThreadBudget& threads, ProgressReport& report, Outcome& outcome, const Write& write) {
  std::vector<WantedFile> wanted;
  for (const io::Export<Source>& each : exports) {
    if (std::ranges::find(arguments.exports, each.name) == arguments.exports.end()) continue;
    const std::filesystem::path file = std::filesystem::path(arguments.out) / each.file;
    wanted.push_back({file, [&, file](const io::ExportProgress& on_progress) { write(each, file, on_progress); }});
  }
  write_files(wanted, threads, report, outcome);
}

}  // namespace starpath::apps
