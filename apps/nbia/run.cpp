// NBIA with this process alone.
#include "apps/nbia/run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/exports/field_exports.hpp"
#include "io/results/result_parts.hpp"
#include "pipelines/nbia/colour_check.hpp"
#include "pipelines/nbia/field_labels.hpp"
#include "pipelines/run/run_info.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

NbiaInput::NbiaInput(NbiaArguments& arguments)
    : model(load_model(arguments.model)),
      slide(io::open_slide(arguments.input)),
      grid(*slide, model.mpp, arguments.options.slide_mpp) {
  NbiaOptions& options = arguments.options;
  options.roi = working_roi(arguments.roi, grid.scale());
  check_nbia_options(grid, model, options);
  check_has_colour(arguments.input, grid);
  options.log = arguments.wanted_log();
  key = nbia_run_key(slide->info(), model, options);
  info = run_info(slide->info(), grid, options.slide_mpp, options.roi);
  if (arguments.model.file.empty() && !arguments.quiet)
    fmt::print(stderr,
               "starpath: the bundled model was trained on synthetic textures: not for diagnosis (--model, "
               "`starpath nbia train`)\n");
}

io::FieldStore open_fields(const NbiaArguments& arguments, const NbiaInput& input) {
  const bool resume = prepare_results(
      arguments, [&](const fs::path& file) { io::FieldStore::create(file, input.key, input.info, kNbiaFieldLabels); },
      [&](const fs::path& file, const fs::path& part) { io::merge_field_part(file, part, input.key); });
  const fs::path file = results_file(arguments);
  return resume ? io::FieldStore::resume(file, input.key, kNbiaFieldLabels)
                : io::FieldStore::create(file, input.key, input.info, kNbiaFieldLabels);
}

void conclude_nbia(const NbiaArguments& arguments, const NbiaInput& input, const io::FieldStore& store,
                   ProgressReport& report, Outcome& outcome) {
  outcome.files = {results_file(arguments)};
  const io::FieldMap map{store.info(), input.model.field(), kNbiaFieldLabels, store.fields()};
  describe(summarise(map.fields, input.model), input.model, outcome);
  if (!outcome.progress.interrupted) write_exports(arguments, io::kFieldExports, {map, *input.slide}, report, outcome);
}

int nbia_alone(NbiaArguments arguments) {
  const NbiaInput input(arguments);
  choose_policy(arguments.session);  // before anything is written
  const auto lock = lock_output(arguments);
  io::FieldStore store = open_fields(arguments, input);
  const std::atomic<bool>& stop = catch_stop_signals();
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "tissue_fields");
  Outcome outcome;
  with_resume_hint(report, [&] {
    const auto on_progress = [&](const Progress& progress, const std::string& failure) {
      report.update(progress, failure);
    };
    compute(arguments, outcome,
            [&] { outcome.progress = run_nbia(input.grid, store, input.model, arguments.options, on_progress, stop); });
    conclude_nbia(arguments, input, store, report, outcome);
  });
  return tell(arguments, outcome);
}

}  // namespace starpath::apps
