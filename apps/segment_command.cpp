// `starpath segment INPUT --out DIR`: the main job from the command line.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/commands.hpp"
#include "apps/run_parts.hpp"
#include "base/error.hpp"
#include "io/exports.hpp"
#include "io/slide.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

struct SegmentArguments : RunArguments {
  SegmentationOptions options;
};

/// The run from an open results file to the exports.
Outcome work(const SegmentArguments& arguments, const io::Slide& slide, const io::WorkingSlide& grid,
             io::ResultStore& store, const std::atomic<bool>& stop) {
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  Outcome outcome;
  try {
    const auto on_progress = [&](const Progress& progress, const std::string& failure) {
      report.update(progress, failure);
    };
    compute(arguments, outcome,
            [&] { outcome.progress = segment_slide(grid, store, arguments.options, on_progress, stop); });
    outcome.files = {fs::path(arguments.out) / "results.sqlite"};
    const std::int64_t nuclei = outcome.progress.interrupted ? 0 : accept_nuclei(store);
    outcome.found = grouped(nuclei) + " nuclei";
    outcome.found_json = {{"nuclei", nuclei}};
    if (outcome.progress.interrupted) return outcome;
    const auto write = [&](const char* what, const char* name, auto&& exporter) {
      write_export(arguments, what, name, report, outcome, exporter);
    };
    write("geojson", "nuclei.geojson", [&](const fs::path& file) { io::export_geojson(store, file); });
    write("csv", "nuclei.csv", [&](const fs::path& file) { io::export_csv(store, file); });
    write("labels", "labels.tif", [&](const fs::path& file) { io::export_labels(store, file); });
    write("overlay", "overlay.png", [&](const fs::path& file) { io::export_overlay(store, slide, file); });
    return outcome;
  } catch (const Error& error) {
    report.close();
    if (error.kind() != ErrorKind::output) throw;
    throw Error(error.kind(), fmt::format("{}; then continue with --resume", error.what()));
  }
}

int run(SegmentArguments arguments) {
  const std::unique_ptr<io::Slide> slide = io::open_slide(arguments.input);
  const io::WorkingSlide grid(*slide, arguments.options.target_mpp, arguments.options.slide_mpp);
  arguments.options.tiling.roi = working_roi(arguments.roi, grid.scale());
  check_options(grid, arguments.options);
  choose_policy(arguments.session);  // before anything is written
  arguments.options.log = arguments.wanted_log();
  const io::RunKey key = run_key(slide->info(), arguments.options);
  const ResultsPlace place = prepare_results(arguments);
  io::ResultStore store =
      place.resume ? io::ResultStore::resume(place.file, key)
                   : io::ResultStore::create(place.file, key, run_info(slide->info(), grid, arguments.options));
  const std::atomic<bool>& stop = catch_stop_signals();
  return tell(arguments, work(arguments, *slide, grid, store, stop));
}

void add_options(CLI::App& command, SegmentArguments& arguments) {
  SegmentationOptions& options = arguments.options;
  add_run_options(command, arguments, "nuclei", {"geojson", "csv", "labels", "overlay"});
  command.add_option("--window", options.window, "Tiles in flight, which bounds memory; 0: three a worker")
      ->capture_default_str();
  command.add_option("--tile", options.tiling.tile, "Side of a tile, pixels of 0.5 um")->capture_default_str();
  command
      .add_option("--halo", options.tiling.halo,
                  "Pixels read around each tile; below 224 results depend a little on the tile size")
      ->capture_default_str();
  command
      .add_option("--mpp", options.slide_mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(CLI::PositiveNumber);
}

}  // namespace

void add_segment_command(CLI::App& app) {
  auto arguments = std::make_shared<SegmentArguments>();
  CLI::App* command = app.add_subcommand("segment", "Find and measure every nucleus of a slide");
  add_options(*command, *arguments);
  command->footer(
      R"(Writes into the output folder: results.sqlite (everything; kept while running, so that a stopped run can go on),
nuclei.geojson (drag it onto the slide in QuPath), nuclei.csv, labels.tif (32-bit instance labels), overlay.png.
Results do not depend on policy, number of workers or devices.

Examples:
  starpath segment slide.svs --out results
  starpath segment slide.svs --out results --roi 10000,20000,4096,4096 --export overlay
  starpath segment slide.svs --out results --resume)");
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
