// Exports of results that need no slide.
#include "runs/group_exports.hpp"

#include <fmt/format.h>

#include <memory>

#include "base/on_threads.hpp"
#include "base/words.hpp"
#include "io/exports/exports.hpp"
#include "runs/kept_files.hpp"
#include "runs/write_exports.hpp"

namespace starpath {

void check_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted) {
  io::for_each_wanted(io::kNucleiExports, wanted, [&](const auto& each) {
    const std::filesystem::path file = results.parent_path() / each.file;
    check_is_no_input(file, {}, "the study", "move it, or say an --export without it");
    check_may_replace(file, each.output().kind, "move it away, or say an --export without it");
  });
}

FilesAtEnd write_group_exports(const std::vector<std::filesystem::path>& results, const std::vector<std::string>& names,
                               int threads, RunListener& report, const std::atomic<bool>& stop) {
  const auto budget = std::make_shared<ThreadBudget>(threads);
  WantedFiles wanted;
  for (const std::filesystem::path& from : results)
    want_exports(
        wanted, io::kNucleiExports, names, from.parent_path(),
        [from, budget](const auto& each, const std::filesystem::path& file, const io::ExportProgress& on_progress) {
          const io::ResultStore store = io::ResultStore::open(from.string());
          io::Nuclei nuclei{store, nullptr, {}};
          nuclei.options.threads = budget;
          nuclei.options.on_progress = on_progress;
          each.write(nuclei, file);
        });
  return write_files(wanted, fmt::format("writing exports of {}", plural(std::ssize(results), "slide")), *budget,
                     report, stop);
}

}  // namespace starpath
