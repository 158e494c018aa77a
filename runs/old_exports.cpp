// What was made from results that are replaced.
#include "runs/old_exports.hpp"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/own_file.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/field_exports.hpp"
#include "io/results/result_tables.hpp"
#include "runs/output_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::vector<NamedOutput> exports_of(const fs::path& file) {
  std::vector<NamedOutput> names;
  try {
    const Database results(file.string(), Database::Open::existing);
    if (has_table(results, io::kSegmentationTables.units))
      for (const auto& each : io::kNucleiExports) names.push_back(each.output());
    if (has_table(results, io::kNbiaTables.units))
      for (const auto& each : io::kFieldExports) names.push_back(each.output());
    if (has_table(results, io::kRowTables.units)) names.push_back(kRowsOutput);
  } catch (const Error&) {
    names.clear();
  }
  return names;
}

}  // namespace

void remove_exports_of(const fs::path& results) {
  for (const auto& [name, kind] : exports_of(results)) {
    const fs::path file = results.parent_path() / name;
    std::error_code error;
    if (!is_own_file(file, kind) || is_input(file)) continue;
    if (!fs::remove(file, error) && error)
      throw Error(ErrorKind::output, fmt::format("{}: was made from the results that --overwrite replaces, and cannot "
                                                 "be removed ({}); remove it, or choose another --out",
                                                 file.string(), error.message()));
  }
}

}  // namespace starpath
