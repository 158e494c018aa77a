// NBIA over the fields of a slide.
#include "runs/nbia/pipeline.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/words.hpp"
#include "io/exports/field_exports.hpp"
#include "pipelines/nbia/colour_check.hpp"
#include "pipelines/nbia/field_labels.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"
#include "runs/kept_files.hpp"
#include "runs/output_folder.hpp"
#include "runs/tile_loops.hpp"
#include "runs/write_exports.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

Conclusion describe(const NbiaSummary& summary, const NbiaModel& model) {
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
  Conclusion told;
  told.found = fmt::format(
      "{} stroma-rich ({:.1f} %), {} stroma-poor ({:.1f} %), {} background, {} of low confidence, {} out of range; "
      "computed {}",
      grouped(fields(NbiaLabel::stroma_rich)), 100 * rich, grouped(fields(NbiaLabel::stroma_poor)), 100 * poor,
      grouped(fields(NbiaLabel::background)), grouped(summary.low_confidence), grouped(summary.out_of_range), rates);
  told.found_json = {{"fields",
                      {{"stroma_rich", fields(NbiaLabel::stroma_rich)},
                       {"stroma_poor", fields(NbiaLabel::stroma_poor)},
                       {"background", fields(NbiaLabel::background)}}},
                     {"share_stroma_rich", rich},
                     {"share_stroma_poor", poor},
                     {"low_confidence", summary.low_confidence},
                     {"out_of_range", summary.out_of_range},
                     {"levels", levels},
                     {"model", model.origin},
                     {"range_warning", range_warning(summary, model)}};
  return told;
}

NbiaOptions options_of(const NbiaRequest& request, const NbiaModel& model, const io::Resolution& resolution,
                       const io::WorkingSlide& grid) {
  NbiaOptions options = request.options;
  options.slide_mpp = resolution.mpp;
  options.roi = working_roi(request.roi, grid.scale());
  check_nbia_options(grid, model, options);
  check_has_colour(request.input, grid);
  return options;
}

}  // namespace

NbiaInput::NbiaInput(const NbiaRequest& request)
    : model(load_model(request.model, request.input)),
      slide(io::open_slide(request.input)),
      resolution(resolution_of(*slide, request.options.slide_mpp)),
      grid(*slide, model.mpp, resolution.mpp),
      options(options_of(request, model, resolution, grid)),
      run{nbia_run_key(slide->info(), model, options), run_info(slide->info(), grid, resolution, options.roi)} {}

const ResultsOfRun& NbiaPipeline::open_input() {
  const std::string model = is_bundled(request_.model) ? "" : request_.model.file;
  check_outputs(request_, {request_.input, model}, wanted_outputs(request_, io::kFieldExports));
  return input_.emplace(request_).run;
}

std::vector<std::string> NbiaPipeline::notes() const {
  std::vector<std::string> notes = notes_on(input_->slide->info(), input_->resolution, request_.quiet);
  if (is_bundled(request_.model) && !request_.quiet)
    notes.insert(notes.begin(),
                 "the bundled model was trained on synthetic textures: not for diagnosis (--model, "
                 "`starpath nbia train`)");
  return notes;
}

MemoryNeed NbiaPipeline::memory_need() const { return memory_need_of(input_->model); }

std::vector<std::int64_t> NbiaPipeline::begin() {
  return fields_left(input_->grid, io::FieldStore(results(), kNbiaFieldLabels), input_->model, input_->options);
}

Computed NbiaPipeline::compute(TileSource& fields, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                               mpi::Job* job) {
  NbiaOptions options = input_->options;
  io::FieldStore store(results(), kNbiaFieldLabels);
  return run_over_tiles(request_, options.window, {fields, on_progress, job},
                        [&](const MakeTileLoop& make_loop, TaskLog* log) {
                          options.log = log;
                          return run_nbia_fields(input_->grid, store, input_->model, options, make_loop, stop);
                        });
}

Conclusion NbiaPipeline::conclude(const RunWork& work, const Ending& ending) {
  const io::ResultStore& results = reopened_results();
  const io::FieldMap map{results.info(), input_->model.field(), kNbiaFieldLabels,
                         io::FieldStore(results, kNbiaFieldLabels).fields()};
  const NbiaSummary summary = summarise(map.fields, input_->model);
  Conclusion told = describe(summary, input_->model);
  told.database = results_file(request_);
  told.resolution = input_->resolution;
  if (!work.progress.interrupted) {
    ThreadBudget threads(ending.threads);
    WantedFiles wanted;
    want_exports(wanted, io::kFieldExports, request_.exports, request_.out,
                 [&](const auto& each, const fs::path& file, const io::ExportProgress& on_progress) {
                   each.write({map, *input_->slide, on_progress}, file);
                 });
    told.exports = write_exports(std::move(wanted), threads, ending.report, ending.stop);
  }
  if (const std::string warning = range_warning(summary, input_->model); !warning.empty()) {
    ending.report.close();
    ending.report.note(warning);
  }
  return told;
}

}  // namespace starpath
