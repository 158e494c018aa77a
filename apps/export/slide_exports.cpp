// Exports of results that need no slide.
#include "apps/export/slide_exports.hpp"

#include <algorithm>
#include <string_view>

#include "io/exports/exports.hpp"

namespace starpath::apps {

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

void write_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted,
                         ProgressReport& report, std::vector<std::string>& files) {
  const io::ResultStore store = io::ResultStore::open(results.string());
  for (const auto& each : io::kNucleiExports) {
    if (std::ranges::find(wanted, each.name) == wanted.end()) continue;
    const std::filesystem::path file = results.parent_path() / each.file;
    report.phase("writing " + file.string());
    each.write({store, nullptr, {}}, file);
    files.push_back(file.string());
  }
}

}  // namespace starpath::apps
