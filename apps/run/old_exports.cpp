// What was made from results that are replaced.
#include "apps/run/old_exports.hpp"

#include <fmt/format.h>

#include <string>
#include <system_error>
#include <vector>

#include "apps/run/output_folder.hpp"
#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/field_exports.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> exports_of(const fs::path& file) {
  std::vector<std::string> names;
  try {
    const Database results(file.string(), Database::Open::existing);
    if (has_table(results, io::kSegmentationTables.units))
      for (const auto& each : io::kNucleiExports) names.emplace_back(each.file);
    if (has_table(results, io::kNbiaTables.units))
      for (const auto& each : io::kFieldExports) names.emplace_back(each.file);
    if (has_table(results, io::kRowTables.units)) names.emplace_back(kRowsFile);
  } catch (const Error&) {
    names.clear();
  }
  return names;
}

}  // namespace

void remove_exports_of(const fs::path& results) {
  for (const std::string& name : exports_of(results)) {
    const fs::path file = results.parent_path() / name;
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(file, error)) || is_input(file)) continue;
    if (!fs::remove(file, error) && error)
      throw Error(ErrorKind::output, fmt::format("{}: was made from the results that --overwrite replaces, and cannot "
                                                 "be removed ({}); remove it, or choose another --out",
                                                 file.string(), error.message()));
  }
}

}  // namespace starpath::apps
