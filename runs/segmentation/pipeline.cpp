// Nuclei segmentation over the tiles of a slide.
#include "runs/segmentation/pipeline.hpp"

#include <utility>

#include "io/annotations/region_files.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/measurements.hpp"
#include "io/masks/mask_region.hpp"
#include "io/results/group_store.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/image_names.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"
#include "runs/kept_files.hpp"
#include "runs/output_folder.hpp"
#include "runs/tile_loops.hpp"
#include "runs/write_exports.hpp"

namespace starpath {

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

/// Of a picture or of annotations; none without a file.
std::vector<io::Region> regions_of_file(const std::string& file, const io::SlideInfo& slide,
                                        std::vector<std::string>& notes) {
  const auto width = static_cast<double>(slide.width()), height = static_cast<double>(slide.height());
  if (io::is_image_name(file)) return {io::read_mask(file, width, height)};
  const io::PlaceOnCanvas place = slide.place.value_or(io::PlaceOnCanvas{});
  return io::read_region_file(file, width, height, &notes,
                              {static_cast<double>(place.x), static_cast<double>(place.y)});
}

/// A rectangle, or regions from files.
void take_regions(const SegmentRequest& request, const io::SlideInfo& slide, const io::WorkingSlide& grid,
                  SegmentationOptions& options, std::vector<std::string>& notes) {
  const bool is_file = names_region_file(request.roi);
  if (!is_file) options.tiling.roi = working_roi(request.roi, grid.scale());
  if (!is_file && request.exclude.empty()) return;
  auto regions = std::make_shared<io::RegionMap>(regions_of_file(is_file ? request.roi : "", slide, notes),
                                                 regions_of_file(request.exclude, slide, notes));
  use_regions(std::move(regions), grid, options);
}

SegmentationOptions options_of(const SegmentRequest& request, const io::SlideInfo& slide,
                               const io::Resolution& resolution, const io::WorkingSlide& grid,
                               std::vector<std::string>& notes) {
  SegmentationOptions options = request.options;
  options.resolution = resolution;
  options.tiling.halo = halo_of(options);
  if (request.maps) options.maps = std::make_shared<InstanceMaps>(*request.maps, resolution.mpp, grid);
  take_regions(request, slide, grid, options, notes);
  check_options(grid, options);
  return options;
}

/// Keeps the regions themselves in the results: the key of the run holds only their digest.
void keep_regions(const SegmentationOptions& options, io::ResultStore& store) {
  constexpr const char* name = "regions";
  if (options.regions && !store.kept(name)) store.keep(name, io::regions_geojson(*options.regions));
}

}  // namespace

Paths network_files_of(const SegmentRequest& request) {
  if (request.network_file.empty()) return {};
  return {request.network_file, description_file_of(request.network_file)};
}

Paths files_read(const SegmentRequest& request) {
  Paths files = {request.input, names_region_file(request.roi) ? request.roi : "", request.exclude,
                 request.parameters_file, request.weights_file};
  const Paths network = network_files_of(request);
  files.insert(files.end(), network.begin(), network.end());
  if (request.maps) files.insert(files.end(), request.maps->paths.begin(), request.maps->paths.end());
  return files;
}

void check_request(const SegmentRequest& request) {
  SegmentationOptions options = request.options;
  check_work_mpp(options.target_mpp);
  options.tiling.halo = halo_of(options);
  check_options(options);
  if (!names_region_file(request.roi)) working_roi(request.roi, 1);
  io::RunInfo info;
  info.feature_names = feature_names(options.families);
  io::measurements_of(info, request.exporting.features);
}

SegmentInput::SegmentInput(const SegmentRequest& request)
    : slide(io::open_slide(request.input)),
      resolution(resolution_of(*slide, request.mpp)),
      grid(*slide, request.options.target_mpp, resolution.mpp),
      options(options_of(request, slide->info(), resolution, grid, notes)),
      run{run_key(slide->info(), options), run_info(slide->info(), grid, options)} {
  if (request.maps)
    for (const std::string& path : request.maps->paths) maps.emplace_back(path);
}

std::vector<std::string> SegmentInput::warnings() const {
  std::vector<std::string> warnings = slide->warnings();
  if (options.maps)
    for (std::string& warning : options.maps->warnings()) warnings.push_back(std::move(warning));
  return warnings;
}

const ResultsOfRun& SegmentPipeline::open_input() {
  check_outputs(request_, files_read(request_), wanted_outputs(request_, io::kNucleiExports));
  check_request(request_);
  return input_.emplace(request_).run;
}

std::vector<std::string> SegmentPipeline::notes() const {
  std::vector<std::string> notes = notes_on(input_->slide->info(), input_->resolution, request_.quiet);
  for (const std::string& note : input_->notes) notes.push_back("warning: " + note);
  if (input_->options.maps && !request_.quiet) notes.push_back(input_->options.maps->description());
  return notes;
}

MemoryNeed SegmentPipeline::memory_need() const { return memory_need_of(input_->grid, input_->options); }

void SegmentPipeline::check_inputs() const {
  for (const InputState& map : input_->maps) map.check_unchanged();
}

std::vector<std::int64_t> SegmentPipeline::begin() {
  keep_regions(input_->options, results());
  return tiles_left(input_->grid, io::TileStore(results()), input_->options);
}

Computed SegmentPipeline::compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                                  mpi::Job* job) {
  SegmentationOptions& options = input_->options;
  const auto segment = [&](const MakeTileLoop& make_loop, TaskLog* log) {
    options.log = log;
    // Each rank looks at the slide for itself, and sees the same. Where that was stopped, no tile is begun either.
    const auto survey = survey_first(input_->grid, results(), options, stop);
    if (survey && on_progress) tell_survey(*survey, on_progress);
    return segment_tiles(input_->grid, io::TileStore(results()), options, make_loop, stop);
  };
  Computed computed = run_over_tiles(request_, options.window, {tiles, on_progress, job}, segment);
  options.log = nullptr;
  return computed;
}

SegmentEnd SegmentPipeline::end(bool interrupted, const Ending& ending) {
  const io::ResultStore& results = reopened_results();
  SegmentEnd end;
  SegmentFindings& found = end.found;
  found.resolution = input_->resolution;
  found.survey = stored_survey(results);
  if (interrupted) {
    found.of_input = input_->warnings();
    return end;
  }
  found.nuclei = accept_nuclei(results, input_->options);
  found.regions = io::GroupStore(results).regions();
  found.level0_mpp = results.info().slide_mpp;
  found.median_area_um2 = median_nuclear_area(results);
  read_results_only();  // by a connection an export
  end.exports = write_exports_of(ending);
  found.of_input = input_->warnings();  // exports read it too
  return end;
}

ExportsAtEnd SegmentPipeline::write_exports_of(const Ending& ending) const {
  io::ExportOptions options = request_.exporting;
  options.threads = std::make_shared<ThreadBudget>(ending.threads);
  WantedFiles wanted;
  want_exports(wanted, io::kNucleiExports, request_.exports, request_.out,
               [&](const auto& each, const fs::path& file, const io::ExportProgress& on_progress) {
                 const io::ResultStore store = io::ResultStore::open(results_file(request_));
                 io::Nuclei from{store, input_->slide.get(), options};
                 from.options.on_progress = on_progress;
                 each.write(from, file);
               });
  return write_exports(std::move(wanted), *options.threads, ending.report, ending.stop);
}

Conclusion SegmentPipeline::conclude(const RunWork& work, const Ending& ending) {
  SegmentEnd ended = end(work.progress.interrupted, ending);
  Conclusion told = describe(ended.found);
  told.database = results_file(request_);
  told.exports = std::move(ended.exports);
  return told;
}

}  // namespace starpath
