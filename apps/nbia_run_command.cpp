// `starpath nbia run INPUT --out DIR`: stroma-rich and stroma-poor tissue of a whole slide.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/nbia_parts.hpp"
#include "apps/run_parts.hpp"
#include "base/error.hpp"
#include "io/field_exports.hpp"
#include "io/slide.hpp"
#include "mpi/network.hpp"
#include "pipelines/nbia/colour_check.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run_info.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

struct NbiaArguments : RunArguments {
  ModelChoice model;
  NbiaOptions options;
};

void describe(const NbiaSummary& summary, const NbiaModel& model, Outcome& outcome) {
  const auto fields = [&](NbiaLabel label) { return summary.fields.at(label); };
  const double rich = summary.share(NbiaLabel::stroma_rich), poor = summary.share(NbiaLabel::stroma_poor);
  nlohmann::json levels = nlohmann::json::array();
  std::string rates;
  for (std::size_t i = 0; i < model.levels.size(); ++i) {
    levels.push_back({{"side", model.levels[i].side},
                      {"computed", summary.computed[i]},
                      {"recalculation_rate", summary.recalculation_rate(i)}});
    rates += fmt::format("{}{} at {} px", i == 0 ? "" : ", ", grouped(summary.computed[i]), model.levels[i].side);
  }
  outcome.found = fmt::format(
      "{} stroma-rich ({:.1f} %), {} stroma-poor ({:.1f} %), {} background, {} of low confidence; computed {}",
      grouped(fields(NbiaLabel::stroma_rich)), 100 * rich, grouped(fields(NbiaLabel::stroma_poor)), 100 * poor,
      grouped(fields(NbiaLabel::background)), grouped(summary.low_confidence), rates);
  outcome.found_json = {{"fields",
                         {{"stroma_rich", fields(NbiaLabel::stroma_rich)},
                          {"stroma_poor", fields(NbiaLabel::stroma_poor)},
                          {"background", fields(NbiaLabel::background)}}},
                        {"share_stroma_rich", rich},
                        {"share_stroma_poor", poor},
                        {"low_confidence", summary.low_confidence},
                        {"levels", levels},
                        {"model", model.origin}};
}

void write_exports(const NbiaArguments& arguments, const io::FieldMap& map, const io::Slide& slide,
                   ProgressReport& report, Outcome& outcome) {
  const auto write = [&](const char* what, const char* name, auto&& exporter) {
    write_export(arguments, what, name, report, outcome, exporter);
  };
  write("map", "map.png", [&](const fs::path& file) { io::export_field_map(map, file); });
  write("overlay", "overlay.png", [&](const fs::path& file) { io::export_field_overlay(map, slide, file); });
  write("geojson", "regions.geojson", [&](const fs::path& file) { io::export_field_regions(map, file); });
  write("csv", "fields.csv", [&](const fs::path& file) { io::export_field_csv(map, file); });
}

/// The run from an open results file to the exports.
Outcome work(const NbiaArguments& arguments, const NbiaModel& model, const io::Slide& slide,
             const io::WorkingSlide& grid, io::FieldStore& store, const std::atomic<bool>& stop) {
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "tissue_fields");
  Outcome outcome;
  try {
    const auto on_progress = [&](const Progress& progress, const std::string& failure) {
      report.update(progress, failure);
    };
    compute(arguments, outcome,
            [&] { outcome.progress = run_nbia(grid, store, model, arguments.options, on_progress, stop); });
    outcome.files = {fs::path(arguments.out) / "results.sqlite"};
    const io::FieldMap map{store.info(), model.field(), store.fields()};
    describe(summarise(map.fields, model), model, outcome);
    if (!outcome.progress.interrupted) write_exports(arguments, map, slide, report, outcome);
    return outcome;
  } catch (const Error& error) {
    report.close();
    if (error.kind() != ErrorKind::output) throw;
    throw Error(error.kind(), fmt::format("{}; then continue with --resume", error.what()));
  }
}

int run(NbiaArguments arguments) {
  if (const int ranks = cluster::launched_ranks(); ranks > 1)
    throw Error(ErrorKind::usage,
                fmt::format("nbia run works in one process and was started in {}: start it without mpirun; segment is "
                            "what runs on several nodes",
                            ranks));
  const NbiaModel model = load_model(arguments.model);
  NbiaOptions& options = arguments.options;
  const std::unique_ptr<io::Slide> slide = io::open_slide(arguments.input);
  const io::WorkingSlide grid(*slide, model.mpp, options.slide_mpp);
  options.roi = working_roi(arguments.roi, grid.scale());
  check_nbia_options(grid, model, options);
  check_has_colour(arguments.input, grid);
  choose_policy(arguments.session);  // before anything is written
  options.log = arguments.wanted_log();
  const io::RunKey key = nbia_run_key(slide->info(), model, options);
  const ResultsPlace place = prepare_results(arguments);
  io::FieldStore store =
      place.resume
          ? io::FieldStore::resume(place.file, key)
          : io::FieldStore::create(place.file, key, run_info(slide->info(), grid, options.slide_mpp, options.roi));
  const std::atomic<bool>& stop = catch_stop_signals();
  if (arguments.model.file.empty() && !arguments.quiet)
    fmt::print(stderr,
               "starpath: the bundled model was trained on synthetic textures: not for diagnosis (--model, "
               "`starpath nbia train`)\n");
  return tell(arguments, work(arguments, model, *slide, grid, store, stop));
}

}  // namespace

void add_nbia_run_command(CLI::App& nbia) {
  auto arguments = std::make_shared<NbiaArguments>();
  CLI::App* command = nbia.add_subcommand("run", "Judge every field of a slide");
  NbiaOptions& options = arguments->options;
  add_run_options(*command, *arguments, "the fields", {"map", "overlay", "geojson", "csv"});
  add_model_options(*command, arguments->model);
  command
      ->add_option("--recalc-rate", options.recalc_rate,
                   "Share of the fields (0 to 1) to compute again at each next level, whatever the votes: for "
                   "experiments; default: the votes decide")
      ->check(CLI::NonNegativeNumber)
      ->default_str("");
  command->add_option("--window", options.window, "Fields in flight, which bounds memory; 0: four times the workers")
      ->capture_default_str();
  command
      ->add_option("--mpp", options.slide_mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(CLI::PositiveNumber);
  command->footer(
      R"help(Writes into the output folder: results.sqlite (everything; kept while running, so that a stopped run can go on),
map.png (a small square a field: green stroma-rich, orange stroma-poor, gray background, paler where the vote was
not clear), overlay.png (the slide in these tints), regions.geojson (drag it onto the slide in QuPath), fields.csv.
Results do not depend on policy, number of workers or devices. docs/nbia.md says more.

Examples:
  starpath nbia run synthetic:8192x8192,pattern=stroma --out results
  starpath nbia run slide.svs --out results --model model.json
  starpath nbia run slide.svs --out results --levels 32,512 --recalc-rate 0.16)help");
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
