// The exports of a run, written at the same time.
#pragma once
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/on_threads.hpp"
#include "base/own_file.hpp"
#include "io/exports/export.hpp"
#include "io/exports/export_options.hpp"
#include "runs/files_at_work.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"
#include "runs/run_result.hpp"

namespace starpath {

/// Threads for what follows a run, when all its workers have ended: as many as --cpus, or as there are cores.
int threads_after(const SessionOptions& session);

/// Files, and what writes each.
struct WantedFiles {
  std::vector<std::filesystem::path> files;
  std::vector<std::function<void(const io::ExportProgress&)>> writers;
};

/// Adds those of `exports` that the user named, in `folder`, each by `write(export, file, on_progress)`, which is
/// called on several threads. Each throws Error{output} rather than replace a file that is no such export.
template <class Source, std::size_t n, class Write>
void want_exports(WantedFiles& wanted, const std::array<io::Export<Source>, n>& exports,
                  const std::vector<std::string>& names, const std::filesystem::path& folder, const Write& write) {
  io::for_each_wanted(exports, names, [&](const io::Export<Source>& each) {
    wanted.files.push_back(folder / each.file);
    wanted.writers.emplace_back([&each, write, file = wanted.files.back()](const io::ExportProgress& on_progress) {
      const NamedOutput output = each.output();
      check_may_replace(file, output.kind);
      write(each, file, on_progress);
    });
  });
}

/// Writes all, on as many threads as `threads` has, as the phase `text`. After a failure no further one is begun, and
/// it is thrown. Once `stop` is true no file is begun, and those at work are given up.
FilesAtEnd write_files(const WantedFiles& wanted, const std::string& text, ThreadBudget& threads, RunListener& report,
                       const std::atomic<bool>& stop);

/// Writes the exports of a run. When all have ended, the report hears of each export that the slide cannot be read for.
ExportsAtEnd write_exports(WantedFiles wanted, ThreadBudget& threads, RunListener& report,
                           const std::atomic<bool>& stop);

}  // namespace starpath
