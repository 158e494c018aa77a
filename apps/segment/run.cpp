// Segmenting with this process alone.
#include "apps/segment/run.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "io/results/result_parts.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

SegmentInput::SegmentInput(SegmentArguments& arguments)
    : slide(io::open_slide(arguments.input)), grid(*slide, arguments.options.target_mpp, arguments.options.slide_mpp) {
  arguments.options.tiling.roi = working_roi(arguments.roi, grid.scale());
  check_options(grid, arguments.options);
  arguments.options.log = arguments.wanted_log();
  key = run_key(slide->info(), arguments.options);
  info = run_info(slide->info(), grid, arguments.options);
}

io::ResultStore open_results(const SegmentArguments& arguments, const SegmentInput& input) {
  const bool resume = prepare_results(
      arguments, [&](const fs::path& file) { io::ResultStore::create(file, input.key, input.info); },
      [&](const fs::path& file, const fs::path& part) { io::merge_part(file, part, input.key); });
  const fs::path file = results_file(arguments);
  return resume ? io::ResultStore::resume(file, input.key) : io::ResultStore::create(file, input.key, input.info);
}

void conclude_segmentation(const SegmentArguments& arguments, const SegmentInput& input, io::ResultStore& store,
                           ProgressReport& report, Outcome& outcome) {
  outcome.files = {results_file(arguments)};
  const std::int64_t nuclei = outcome.progress.interrupted ? 0 : accept_nuclei(store);
  outcome.found = grouped(nuclei) + " nuclei";
  outcome.found_json = {{"nuclei", nuclei}};
  if (!outcome.progress.interrupted)
    write_exports(arguments, io::kNucleiExports, {store, *input.slide}, report, outcome);
}

int segment_alone(SegmentArguments arguments) {
  const SegmentInput input(arguments);
  choose_policy(arguments.session);  // before anything is written
  const auto lock = lock_output(arguments);
  io::ResultStore store = open_results(arguments, input);
  const std::atomic<bool>& stop = catch_stop_signals();
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  Outcome outcome;
  with_resume_hint(report, [&] {
    const auto on_progress = [&](const Progress& progress, const std::string& failure) {
      report.update(progress, failure);
    };
    compute(arguments, outcome,
            [&] { outcome.progress = segment_slide(input.grid, store, arguments.options, on_progress, stop); });
    conclude_segmentation(arguments, input, store, report, outcome);
  });
  return tell(arguments, outcome);
}

}  // namespace starpath::apps
