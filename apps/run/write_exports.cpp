// One export.
#include "apps/run/write_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "apps/terminal.hpp"
#include "base/error.hpp"

namespace starpath::apps {

void write_export(const RunArguments& arguments, const char* what, const char* name, ProgressReport& report,
                  Outcome& outcome, const std::function<void(const std::filesystem::path&)>& exporter) {
  if (std::ranges::find(arguments.exports, what) == arguments.exports.end()) return;
  const std::filesystem::path file = std::filesystem::path(arguments.out) / name;
  report.phase(fmt::format("writing {}", file.string()));
  try {
    exporter(file);
    outcome.files.push_back(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    print_error("starpath: {} not written: {}\n", file.string(), error.what());
    outcome.failed_exports.push_back(file);
  }
}

}  // namespace starpath::apps
