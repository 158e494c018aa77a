// Files on threads.
#include "runs/write_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/allowed_cores.hpp"
#include "base/error.hpp"

namespace starpath {

int threads_after(const SessionOptions& session) {
  return session.cpus < 0 ? allowed_cores() : std::clamp(session.cpus, 1, bound_cores());
}

FilesAtEnd write_files(const WantedFiles& wanted, const std::string& text, ThreadBudget& threads, RunListener& report,
                       const std::atomic<bool>& stop) {
  FilesAtWork at_work(report, text, wanted.files, stop);
  each_on_threads(threads, wanted.files.size(), [&](std::size_t i, int) { at_work.write(i, wanted.writers[i]); });
  return at_work.end();
}

ExportsAtEnd write_exports(WantedFiles wanted, ThreadBudget& threads, RunListener& report,
                           const std::atomic<bool>& stop) {
  std::vector<std::string> failures(wanted.files.size());
  for (std::size_t i = 0; i < failures.size(); ++i)
    wanted.writers[i] = [&failure = failures[i], write = std::move(wanted.writers[i])](const auto& on_progress) {
      try {
        write(on_progress);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        failure = error.what();
      }
    };
  FilesAtEnd end = write_files(wanted, "writing " + file_list(wanted.files), threads, report, stop);
  ExportsAtEnd exports{std::move(end.written), {}, std::move(end.stopped)};
  for (std::size_t i = 0; i < failures.size(); ++i) {
    if (failures[i].empty()) continue;
    const std::filesystem::path& file = wanted.files[i];
    report.note(fmt::format("{} not written: {}", file.string(), failures[i]));
    exports.failed.push_back(file);
    std::erase(exports.written, file);
  }
  return exports;
}

}  // namespace starpath
