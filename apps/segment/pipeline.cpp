// Nuclei segmentation over the tiles of a slide.
#include "apps/segment/pipeline.hpp"

#include "apps/run/output_folder.hpp"
#include "apps/run/write_exports.hpp"
#include "io/exports/exports.hpp"
#include "io/results/result_parts.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

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

io::ResultStore SegmentPipeline::create(const fs::path& file) const {
  return io::ResultStore::create(file, input_->key, input_->info);
}

io::ResultStore SegmentPipeline::resume() const {
  return io::ResultStore::resume(results_file(arguments_), input_->key);
}

std::vector<std::int64_t> SegmentPipeline::open_results() {
  const fs::path file = results_file(arguments_);
  const bool exists = prepare_results(
      arguments_, [&] { create(file); }, [&](const fs::path& part) { merge(part); });
  store_.emplace(exists ? resume() : create(file));
  return tiles_left(input_->grid, *store_, arguments_.options);
}

Computed SegmentPipeline::compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                                  cluster::Cluster*) {
  return {segment_tiles(input_->grid, *store_, arguments_.options, tiles, on_progress, stop)};
}

std::int64_t SegmentPipeline::merge(const fs::path& part) {
  return io::merge_part(results_file(arguments_), part, input_->key);
}

void SegmentPipeline::conclude(ProgressReport& report, Outcome& outcome) {
  if (!store_) store_.emplace(resume());
  outcome.files = {results_file(arguments_)};
  const std::int64_t nuclei = outcome.progress.interrupted ? 0 : accept_nuclei(*store_);
  outcome.found = grouped(nuclei) + " nuclei";
  outcome.found_json = {{"nuclei", nuclei}};
  if (!outcome.progress.interrupted)
    write_exports(arguments_, io::kNucleiExports, {*store_, *input_->slide}, report, outcome);
}

}  // namespace starpath::apps
