// Files on threads.
#include "apps/run/write_exports.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "apps/run/files_at_work.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"

namespace starpath::apps {

int threads_after(const SessionOptions& session) {
  const int cores = allowed_cores();
  return session.cpus < 0 ? cores : std::clamp(session.cpus, 1, cores);
}

void write_files(const std::vector<WantedFile>& wanted, ThreadBudget& threads, ProgressReport& report,
                 Outcome& outcome) {
  std::vector<std::filesystem::path> files;
  for (const WantedFile& each : wanted) files.push_back(each.file);
  FilesAtWork at_work(report, writing_text(files), files.size());
  std::vector<std::string> failures(files.size());
  on_threads(threads, files.size(), [&](std::size_t i, int) {
    try {
      wanted[i].write(at_work.begin(i));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      failures[i] = error.what();
    }
  });
  report.close();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (failures[i].empty()) {
      outcome.files.push_back(files[i]);
      continue;
    }
    print_error("starpath: {} not written: {}\n", files[i].string(), failures[i]);
    outcome.failed_exports.push_back(files[i]);
  }
}

}  // namespace starpath::apps
