// Whether a file that is to be written is one that must stay.
#include "runs/kept_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/own_file.hpp"
#include "io/slides/slide_parts.hpp"
#include "runs/output_folder.hpp"
#include "sched_policies/observe/own_observations.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

bool is_database_in(const fs::path& folder, const fs::path& file) {
  return std::ranges::any_of(databases_of(folder), [&](const fs::path& each) { return is_one_file(file, each); });
}

}  // namespace

Paths databases_of(const fs::path& folder) {
  Paths files = {folder / "results.sqlite", folder / "study.sqlite"};
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code none;
    if (!entry->is_directory(none)) continue;
    files.push_back(entry->path() / "results.sqlite");
    files.push_back(entry->path() / "study.sqlite");
  }
  return files;
}

void check_is_no_input(const fs::path& out, const Paths& inputs, const std::string& made, const std::string& remedy) {
  for (const fs::path& input : inputs) io::note_slide(input.string());
  if (out.empty()) return;
  const auto will_be = [&](const fs::path& input) { return !input.empty() && is_one_file(out, input); };
  if (is_input(out) || std::ranges::any_of(inputs, will_be))
    throw Error(ErrorKind::usage, fmt::format("{}: is what {} is made from; {}", out.string(), made, remedy));
}

void check_record(const RunRequest& request, const Paths& inputs) {
  const std::string remedy = "give --record another name";
  check_is_no_input(request.record, inputs, "the run", remedy);
  if (!request.record.empty() && is_database_in(request.out, request.record))
    throw Error(ErrorKind::usage, fmt::format("{}: is a file of results; {}", request.record, remedy));
  check_plugin_outputs(request);
}

void check_plugin_outputs(const RunRequest& request) {
  for (const OutputKind& kind : {kStatisticsFile, kTraceFile}) {
    const char* file = std::getenv(kind.writer);
    if (file == nullptr || *file == '\0') continue;
    if (is_input(file) || is_database_in(request.out, file))
      throw Error(ErrorKind::usage, fmt::format("{}={}: is a file that the run reads, or of its results; give it "
                                                "another name",
                                                kind.writer, file));
    check_may_replace(file, kind, fmt::format("name another file in {}", kind.writer));
  }
}

void check_outputs(const RunRequest& request, const Paths& inputs, const std::vector<NamedOutput>& outputs) {
  check_is_no_input(results_file(request), inputs, "the run", "choose another --out");
  const std::string remedy = "choose another --out, or an --export without it";
  for (const NamedOutput& output : outputs) {
    const fs::path file = fs::path(request.out) / output.name;
    check_is_no_input(file, inputs, "the run", remedy);
    if (!request.record.empty() && is_one_file(request.record, file))
      throw Error(ErrorKind::usage,
                  fmt::format("{}: is an export of the run; give --record another name", request.record));
  }
  for (const auto& [name, kind] : outputs)
    check_may_replace(fs::path(request.out) / name, kind, "move it away, " + remedy);
  check_record(request, inputs);
}

}  // namespace starpath
