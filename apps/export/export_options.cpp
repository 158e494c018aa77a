// The options by which a user says what exports hold.
#include "apps/export/export_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "apps/cli/number_range.hpp"
#include "apps/run/run_summary.hpp"
#include "io/exports/exports.hpp"

namespace starpath::apps {

void add_export_options(CLI::App& command, io::ExportOptions& options) {
  constexpr int most_digits = 17;  // more than a double has
  command
      .add_option("--features", options.features,
                  "Features in geojson, csv and parquet: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command
      .add_option(
          "--digits", options.digits,
          "Significant digits of features in geojson and csv; default: as few as say the single-precision number")
      ->check(number_between(1, most_digits));
}

void add_group_exports(CLI::App& command, std::vector<std::string>& exports, const std::string& groups) {
  exports = {"geojson"};
  std::vector<std::string> names = {"none"};
  for (const auto& each : io::kNucleiExports)
    if (!each.reads_slide && std::string_view(each.name) != "labels") names.emplace_back(each.name);
  command
      .add_option(
          "--export", exports,
          "What to write of each slide with its " + groups + " and basic features; others later: starpath export")
      ->delimiter(',')
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

int tell_stopped_group_exports(const std::vector<std::filesystem::path>& stopped, const std::vector<std::string>& names,
                               const std::string& results, const std::string& groups) {
  return tell_stopped(stopped, fmt::format("the {} are kept, write the files with `starpath export {} --format {}`",
                                           groups, results, fmt::join(names, ",")));
}

}  // namespace starpath::apps
