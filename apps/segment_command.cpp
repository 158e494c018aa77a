// `starpath segment INPUT --out DIR`: the main job from the command line.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>

#include "apps/commands.hpp"
#include "apps/gpu_placement.hpp"
#include "apps/progress_report.hpp"
#include "apps/segment_outcome.hpp"
#include "base/error.hpp"
#include "io/exports.hpp"
#include "io/slide.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/starpu_session.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

struct SegmentArguments {
  std::string input;
  std::string out;
  SessionOptions session;
  SegmentationOptions options;
  std::vector<std::int64_t> roi;
  std::vector<std::string> exports = {"geojson", "csv", "labels", "overlay"};
  bool resume = false, overwrite = false, json = false, quiet = false;
};

std::atomic<bool> stop_requested{false};
std::atomic<std::time_t> first_request{0};

// The first signal lets tiles in flight finish; one a second or more later ends at once, which is safe too. (A shell or
// `timeout` may deliver one request twice.)
void on_signal(int) {
  const std::time_t now = std::time(nullptr);
  if (!stop_requested.exchange(true)) first_request = now;
  if (now - first_request > 1) std::_Exit(130);
}

/// The region of interest comes in level-0 pixels, as viewers show them, and is grown to whole working pixels.
Rect working_roi(const std::vector<std::int64_t>& roi, double scale) {
  if (roi.empty()) return {};
  if (roi[0] < 0 || roi[1] < 0 || roi[2] <= 0 || roi[3] <= 0)
    throw Error(ErrorKind::usage,
                "--roi takes x,y,width,height in level-0 pixels: x and y not negative, width and height positive");
  const auto down = [&](std::int64_t value) { return static_cast<std::int64_t>(static_cast<double>(value) / scale); };
  const std::int64_t x = down(roi[0]), y = down(roi[1]);
  return {x, y, down(roi[0] + roi[2] - 1) + 1 - x, down(roi[1] + roi[3] - 1) + 1 - y};
}

io::ResultStore open_store(const SegmentArguments& arguments, const io::RunKey& key, const io::RunInfo& info) {
  const fs::path file = fs::path(arguments.out) / "results.sqlite";
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error)
    throw Error(ErrorKind::output,
                fmt::format("cannot create the output folder {}: {}", arguments.out, error.message()));
  const bool exists = fs::exists(file, error);
  if (exists && arguments.resume) return io::ResultStore::resume(file, key);
  if (exists && !arguments.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{} holds results already: continue them with --resume, replace them with "
                            "--overwrite, or choose another --out",
                            file.string()));
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(file.string() + suffix, error);
  return io::ResultStore::create(file, key, info);
}

/// A slide that cannot be read everywhere still gets the exports that need no pixels.
void write_exports(const SegmentArguments& arguments, const io::ResultStore& store, const io::Slide& slide,
                   ProgressReport& report, Outcome& outcome) {
  const auto write = [&](const char* what, const char* name, auto&& exporter) {
    if (std::find(arguments.exports.begin(), arguments.exports.end(), what) == arguments.exports.end()) return;
    const fs::path file = fs::path(arguments.out) / name;
    report.phase(fmt::format("writing {}", file.string()));
    try {
      exporter(file);
      outcome.files.push_back(file);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      fmt::print(stderr, "starpath: {} not written: {}\n", file.string(), error.what());
      outcome.failed_exports.push_back(file);
    }
  };
  write("geojson", "nuclei.geojson", [&](const fs::path& file) { io::export_geojson(store, file); });
  write("csv", "nuclei.csv", [&](const fs::path& file) { io::export_csv(store, file); });
  write("labels", "labels.tif", [&](const fs::path& file) { io::export_labels(store, file); });
  write("overlay", "overlay.png", [&](const fs::path& file) { io::export_overlay(store, slide, file); });
}

void compute(const SegmentArguments& arguments, const io::WorkingSlide& grid, io::ResultStore& store,
             ProgressReport& report, Outcome& outcome) {
  if (arguments.session.gpus != 0) apply_gpu_placement();
  const StarpuSession session(arguments.session);
  outcome.policy = session.policy();
  outcome.cpu_workers = session.cpu_workers();
  outcome.cuda_workers = session.cuda_workers();
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    report.update(progress, failure);
  };
  outcome.progress = segment_slide(grid, store, arguments.options, on_progress, stop_requested);
}

/// The run from an open results file to the exports.
Outcome work(const SegmentArguments& arguments, const io::Slide& slide, const io::WorkingSlide& grid,
             io::ResultStore& store) {
  ProgressReport report(choose_style(arguments.json, arguments.quiet));
  Outcome outcome;
  try {
    compute(arguments, grid, store, report, outcome);
    outcome.files = {fs::path(arguments.out) / "results.sqlite"};
    if (outcome.progress.interrupted) return outcome;
    outcome.nuclei = accept_nuclei(store);
    write_exports(arguments, store, slide, report, outcome);
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
  io::ResultStore store = open_store(arguments, run_key(slide->info(), arguments.options),
                                     run_info(slide->info(), grid, arguments.options));
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const Outcome outcome = work(arguments, *slide, grid, store);
  if (arguments.json) print_json(outcome);
  if (!arguments.json && !arguments.quiet) print_text(outcome);
  return conclude(outcome);
}

void add_options(CLI::App& command, SegmentArguments& arguments) {
  SegmentationOptions& options = arguments.options;
  command
      .add_option("INPUT", arguments.input,
                  "A slide (any OpenSlide format), a TIFF, PNG or JPEG image, a folder of tiles, or "
                  "synthetic:WxH[,seed=N][,density=D]")
      ->required();
  command.add_option("--out", arguments.out, "Folder for results.sqlite and the exports; made if missing")->required();
  command.add_option("--policy", arguments.session.policy,
                     "Scheduling policy (see `starpath policies`); default: STARPU_SCHED, else pats");
  command.add_option("--cpus", arguments.session.cpus, "CPU workers; default: one a core")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--gpus", arguments.session.gpus, "CUDA devices to use; default: all")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--window", options.window, "Tiles in flight, which bounds memory; 0: twice the workers")
      ->capture_default_str();
  command.add_option("--tile", options.tiling.tile, "Side of a tile, pixels of 0.5 um")->capture_default_str();
  command
      .add_option("--halo", options.tiling.halo,
                  "Pixels read around each tile; below 224 results depend a little on the tile size")
      ->capture_default_str();
  command
      .add_option("--mpp", options.slide_mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(CLI::PositiveNumber);
  command.add_option("--roi", arguments.roi, "Only nuclei in x,y,width,height (level-0 pixels)")
      ->delimiter(',')
      ->expected(4);
  command.add_option("--export", arguments.exports, "Any of geojson,csv,labels,overlay, or none")
      ->delimiter(',')
      ->check(CLI::IsMember({"geojson", "csv", "labels", "overlay", "none"}))
      ->capture_default_str();
  CLI::Option* resume =
      command.add_flag("--resume", arguments.resume, "Continue the results in --out, if there are any");
  command.add_flag("--overwrite", arguments.overwrite, "Replace the results in --out")->excludes(resume);
  command.add_flag("--json", arguments.json, "Progress and summary as JSON lines on stdout");
  command.add_flag("--quiet", arguments.quiet, "Say nothing but errors");
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
