// NBIA over the fields of a slide.
#include "apps/nbia/pipeline.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/run/kept_files.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/roi.hpp"
#include "apps/run/slide_resolution.hpp"
#include "apps/run/write_exports.hpp"
#include "apps/terminal.hpp"
#include "base/words.hpp"
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
      "{} stroma-rich ({:.1f} %), {} stroma-poor ({:.1f} %), {} background, {} of low confidence, {} out of range; "
      "computed {}",
      grouped(fields(NbiaLabel::stroma_rich)), 100 * rich, grouped(fields(NbiaLabel::stroma_poor)), 100 * poor,
      grouped(fields(NbiaLabel::background)), grouped(summary.low_confidence), grouped(summary.out_of_range), rates);
  outcome.found_json = {{"fields",
                         {{"stroma_rich", fields(NbiaLabel::stroma_rich)},
                          {"stroma_poor", fields(NbiaLabel::stroma_poor)},
                          {"background", fields(NbiaLabel::background)}}},
                        {"share_stroma_rich", rich},
                        {"share_stroma_poor", poor},
                        {"low_confidence", summary.low_confidence},
                        {"out_of_range", summary.out_of_range},
                        {"levels", levels},
                        {"model", model.origin}};
}

}  // namespace

NbiaInput::NbiaInput(NbiaArguments& arguments)
    : model(load_model(arguments.model, arguments.input)),
      slide(io::open_slide(arguments.input)),
      resolution(resolution_of(*slide, arguments.options.slide_mpp)),
      grid(*slide, model.mpp, resolution.mpp) {
  NbiaOptions& options = arguments.options;
  options.slide_mpp = resolution.mpp;
  options.roi = working_roi(arguments.roi, grid.scale());
  check_nbia_options(grid, model, options);
  check_has_colour(arguments.input, grid);
  options.log = arguments.wanted_log();
  key = nbia_run_key(slide->info(), model, options);
  info = run_info(slide->info(), grid, resolution, options.roi);
  if (is_bundled(arguments.model) && !arguments.quiet)
    print_error(
        "starpath: the bundled model was trained on synthetic textures: not for diagnosis (--model, "
        "`starpath nbia train`)\n");
}

const io::RunKey& NbiaPipeline::open() {
  const std::string model = is_bundled(arguments_.model) ? "" : arguments_.model.file;
  check_outputs(arguments_, {arguments_.input, model}, wanted_files(arguments_, io::kFieldExports));
  return input_.emplace(arguments_).key;
}

io::FieldStore NbiaPipeline::create(const fs::path& file) const {
  return io::FieldStore::create(file, input_->key, input_->info, kNbiaFieldLabels);
}

io::FieldStore NbiaPipeline::resume() const {
  io::FieldStore store = io::FieldStore::resume(results_file(arguments_), input_->key, kNbiaFieldLabels);
  check_grid(store.info(), input_->info, arguments_);
  return store;
}

void NbiaPipeline::warn() const { warn_of_resolution(input_->resolution); }

MemoryNeed NbiaPipeline::memory_need() const { return memory_need_of(input_->model); }

std::vector<std::int64_t> NbiaPipeline::open_results() {
  const fs::path file = results_file(arguments_);
  const bool exists = prepare_results(
      arguments_, [&] { create(file); }, [&](const fs::path& part) { merge(part); });
  store_.emplace(exists ? resume() : create(file));
  return fields_left(input_->grid, *store_, input_->model, arguments_.options);
}

Computed NbiaPipeline::compute(TileSource& fields, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                               mpi::Job*) {
  return {run_nbia_fields(input_->grid, *store_, input_->model, arguments_.options, fields, on_progress, stop)};
}

std::int64_t NbiaPipeline::merge(const fs::path& part) {
  return io::merge_field_part(results_file(arguments_), part, input_->key);
}

void NbiaPipeline::conclude(ProgressReport& report, const std::atomic<bool>& stop, Outcome& outcome) {
  if (!store_) store_.emplace(resume());
  outcome.unit = unit();
  outcome.files = {results_file(arguments_)};
  const io::FieldMap map{store_->info(), input_->model.field(), kNbiaFieldLabels, store_->fields()};
  const NbiaSummary summary = summarise(map.fields, input_->model);
  describe(summary, input_->model, outcome);
  tell_resolution(input_->resolution, outcome);
  if (!outcome.progress.interrupted) {
    ThreadBudget threads(arguments_.export_threads);
    WantedFiles wanted;
    want_exports(wanted, io::kFieldExports, arguments_.exports, arguments_.out,
                 [&](const auto& each, const fs::path& file, const io::ExportProgress& on_progress) {
                   each.write({map, *input_->slide, on_progress}, file);
                 });
    write_exports(std::move(wanted), threads, report, stop, outcome);
  }
  const std::string warning = range_warning(summary, input_->model);
  outcome.found_json["range_warning"] = warning;
  if (warning.empty()) return;
  report.close();
  print_error("starpath: {}\n", warning);
}

}  // namespace starpath::apps
