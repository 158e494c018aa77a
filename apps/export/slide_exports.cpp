// Exports of results that need no slide.
#include "apps/export/slide_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "apps/run/files_at_work.hpp"
#include "apps/run/kept_files.hpp"
#include "apps/run/words.hpp"
#include "base/on_threads.hpp"
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

void write_group_exports(const std::vector<std::filesystem::path>& results, const std::vector<std::string>& wanted,
                         int threads, ProgressReport& report, std::vector<std::string>& files) {
  ThreadBudget budget(threads);
  std::vector<std::function<void(const io::ExportProgress&)>> writers;
  for (const std::filesystem::path& from : results)
    for_each_wanted(from, wanted, [&](const auto& each, const std::filesystem::path& file) {
      files.push_back(file.string());
      writers.push_back([&each, from, file](const io::ExportProgress& on_progress) {
        const io::ResultStore store = io::ResultStore::open(from.string());
        io::Nuclei nuclei{store, nullptr, {}};
        nuclei.options.on_progress = on_progress;
        each.write(nuclei, file);
      });
    });
  FilesAtWork at_work(report, fmt::format("writing exports of {}", plural(std::ssize(results), "slide")),
                      writers.size());
  on_threads(budget, writers.size(), [&](std::size_t i, int) { writers[i](at_work.begin(i)); });
}

}  // namespace starpath::apps
