// Nuclei segmentation over the tiles of a slide.
#include "apps/segment/pipeline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/run/kept_files.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/roi.hpp"
#include "apps/run/slide_resolution.hpp"
#include "apps/run/write_exports.hpp"
#include "apps/segment/nuclear_size.hpp"
#include "base/words.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "io/annotations/region_files.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/measurements.hpp"
#include "io/masks/mask_region.hpp"
#include "io/results/result_parts.hpp"
#include "io/slides/image_names.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

namespace {

void tell_survey(const Survey& survey, const ProgressCallback& on_progress) {
  Progress told;
  told.news = describe(survey);
  on_progress(told, "");
  told.news.clear();
  for (const std::string& warning : survey.warnings) {
    told.note = "warning: " + warning;
    on_progress(told, "");
  }
}

/// Without what is meant for drawings.
nlohmann::json summary_of(const Survey& survey) {
  nlohmann::json json = nlohmann::json::parse(to_json(survey));
  json.erase("histograms");
  return json;
}

/// Of a picture or of GeoJSON; none without a file.
std::vector<io::Region> regions_of_file(const std::string& file, const io::SlideInfo& slide) {
  const auto width = static_cast<double>(slide.width()), height = static_cast<double>(slide.height());
  if (io::is_image_name(file)) return {io::read_mask(file, width, height)};
  return io::read_region_file(file, width, height);
}

Paths files_read(const SegmentArguments& arguments) {
  return {arguments.input, names_region_file(arguments.roi) ? arguments.roi : "", arguments.exclude,
          arguments.parameters.file};
}

/// A rectangle, or regions from files.
void take_regions(SegmentArguments& arguments, const SegmentInput& input) {
  const bool is_file = names_region_file(arguments.roi);
  if (!is_file) arguments.options.tiling.roi = working_roi(arguments.roi, input.grid.scale());
  if (!is_file && arguments.exclude.empty()) return;
  const io::SlideInfo& slide = input.slide->info();
  auto regions = std::make_shared<io::RegionMap>(regions_of_file(is_file ? arguments.roi : "", slide),
                                                 regions_of_file(arguments.exclude, slide));
  use_regions(std::move(regions), input.grid, arguments.options);
}

/// Keeps the regions themselves in the results: the key of the run holds only their digest.
void keep_regions(const SegmentationOptions& options, io::ResultStore& store) {
  constexpr const char* name = "regions";
  if (options.regions && !store.kept(name)) store.keep(name, io::regions_geojson(*options.regions));
}

/// How many nuclei each region has, in words and as JSON.
void tell_regions(const io::ResultStore& store, Outcome& outcome) {
  const std::vector<io::RegionRecord> regions = store.regions();
  if (regions.empty()) return;
  const double mm2 = std::pow(store.info().slide_mpp, 2) * 1e-6;  // of a level-0 pixel; 0: not known
  nlohmann::json listed = nlohmann::json::array();
  for (const io::RegionRecord& region : regions) {
    nlohmann::json row = {{"region", region.name}, {"class", region.class_name}, {"nuclei", region.nuclei}};
    std::string line = fmt::format("{}: {}", region.name, nuclei_text(region.nuclei));
    if (const double area = region.pixels * mm2; area > 0) {
      row["area_mm2"] = area;
      row["nuclei_per_mm2"] = static_cast<double>(region.nuclei) / area;
      line += fmt::format(" on {:.3g} mm2, {:.0f} a mm2", area, static_cast<double>(region.nuclei) / area);
    }
    outcome.lines.push_back(std::move(line));
    listed.push_back(std::move(row));
  }
  outcome.about["regions"] = std::move(listed);
}

}  // namespace

void check_arguments(const SegmentArguments& arguments) {
  SegmentationOptions options = arguments.options;
  check_work_mpp(options.target_mpp);
  options.tiling.halo = halo_of(options);
  check_options(options);
  if (!names_region_file(arguments.roi)) working_roi(arguments.roi, 1);
  io::RunInfo info;
  info.feature_names.assign(kFeatureNames.begin(), kFeatureNames.end());
  io::measurements_of(info, arguments.exporting.features);
}

SegmentInput::SegmentInput(SegmentArguments& arguments)
    : slide(io::open_slide(arguments.input)),
      resolution(resolution_of(*slide, arguments.mpp)),
      grid(*slide, arguments.options.target_mpp, resolution.mpp) {
  arguments.options.resolution = resolution;
  arguments.options.tiling.halo = halo_of(arguments.options);
  take_regions(arguments, *this);
  check_options(grid, arguments.options);
  arguments.options.log = arguments.wanted_log();
  key = run_key(slide->info(), arguments.options);
  info = run_info(slide->info(), grid, arguments.options);
}

io::ResultStore SegmentPipeline::create(const fs::path& file) const {
  return io::ResultStore::create(file, input_->key, input_->info);
}

io::ResultStore SegmentPipeline::resume() const {
  io::ResultStore store = io::ResultStore::resume(results_file(arguments_), input_->key);
  check_grid(store.info(), input_->info, arguments_);
  return store;
}

const io::RunKey& SegmentPipeline::open() {
  check_outputs(arguments_, files_read(arguments_), wanted_files(arguments_, io::kNucleiExports));
  check_arguments(arguments_);
  return input_.emplace(arguments_).key;
}

void SegmentPipeline::warn() const { warn_of_resolution(input_->resolution); }

MemoryNeed SegmentPipeline::memory_need() const { return memory_need_of(input_->grid, arguments_.options); }

std::vector<std::int64_t> SegmentPipeline::open_results() {
  const fs::path file = results_file(arguments_);
  const bool exists = prepare_results(
      arguments_, [&] { create(file); }, [&](const fs::path& part) { merge(part); });
  store_.emplace(exists ? resume() : create(file));
  keep_regions(arguments_.options, *store_);
  return tiles_left(input_->grid, *store_, arguments_.options);
}

Computed SegmentPipeline::compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                                  mpi::Job*) {
  // Each rank looks at the slide for itself, and sees the same. Where that was stopped, no tile is begun either.
  const auto survey = survey_first(input_->grid, *store_, arguments_.options, stop);
  if (survey && on_progress) tell_survey(*survey, on_progress);
  return {segment_tiles(input_->grid, *store_, arguments_.options, tiles, on_progress, stop)};
}

std::int64_t SegmentPipeline::merge(const fs::path& part) {
  return io::merge_part(results_file(arguments_), part, input_->key);
}

void SegmentPipeline::conclude(ProgressReport& report, const std::atomic<bool>& stop, Outcome& outcome) {
  if (!store_) store_.emplace(resume());
  outcome.files = {results_file(arguments_)};
  outcome.found_json = {{"nuclei", nullptr}, {"left_out_eosin", nullptr}};  // known when all tiles are done
  if (const auto survey = stored_survey(*store_)) outcome.about["survey"] = summary_of(*survey);
  tell_resolution(input_->resolution, outcome);
  if (outcome.progress.interrupted) return;
  const auto [nuclei, left_out] = accept_nuclei(*store_, arguments_.options);
  outcome.found = nuclei_text(nuclei);
  if (left_out > 0) outcome.found += fmt::format(" ({} objects with more eosin left out)", grouped(left_out));
  outcome.found_json["nuclei"] = nuclei;
  outcome.found_json["left_out_eosin"] = left_out;
  tell_regions(*store_, outcome);
  if (nuclei > 0) check_nuclear_size(*store_, outcome);
  // The file is given up: from now on it is only read, by a connection an export.
  store_.reset();
  store_.emplace(io::ResultStore::open(results_file(arguments_)));
  io::ExportOptions options = arguments_.exporting;
  options.threads = std::make_shared<ThreadBudget>(arguments_.export_threads);
  WantedFiles wanted;
  want_exports(wanted, io::kNucleiExports, arguments_.exports, arguments_.out,
               [&](const auto& each, const fs::path& file, const io::ExportProgress& on_progress) {
                 const io::ResultStore store = io::ResultStore::open(results_file(arguments_));
                 io::Nuclei from{store, input_->slide.get(), options};
                 from.options.on_progress = on_progress;
                 each.write(from, file);
               });
  write_exports(std::move(wanted), *options.threads, report, stop, outcome);
}

}  // namespace starpath::apps
