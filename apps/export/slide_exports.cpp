// Exports of results that need no slide.
#include "apps/export/slide_exports.hpp"

#include <algorithm>
#include <string_view>

#include "apps/run/kept_files.hpp"
#include "io/exports/exports.hpp"

namespace starpath::apps {
namespace {

template <class Use>
void for_each_wanted(const std::filesystem::path& results, const std::vector<std::string>& wanted, const Use& use) {
  for (const auto& each : io::kNucleiExports)
    if (std::ranges::find(wanted, each.name) != wanted.end()) use(each, results.parent_path() / each.file);
}

}  // namespace

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

void check_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted) {
  for_each_wanted(results, wanted, [](const auto&, const std::filesystem::path& file) {
    check_is_no_input(file, {}, "the study", "move it, or say an --export without it");
  });
}

void write_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted,
                         ProgressReport& report, std::vector<std::string>& files) {
  const io::ResultStore store = io::ResultStore::open(results.string());
  for_each_wanted(results, wanted, [&](const auto& each, const std::filesystem::path& file) {
    report.phase("writing " + file.string());
    each.write({store, nullptr, {}}, file);
    files.push_back(file.string());
  });
}

}  // namespace starpath::apps
