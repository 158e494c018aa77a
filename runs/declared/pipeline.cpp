// A declared pipeline over the tiles of a slide.
#include "runs/declared/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/words.hpp"
#include "io/exports/csv_cell.hpp"
#include "pipelines/declared/tile_columns.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"
#include "runs/kept_files.hpp"
#include "runs/output_folder.hpp"
#include "runs/tile_loops.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

/// Numbers as short as they can be read back.
void write_csv(const std::vector<io::RowRecord>& rows, const std::vector<std::string>& columns, const fs::path& path) {
  AtomicFile file(path, kRowsOutput.kind);
  std::string text = fmt::format("{}", fmt::join(kTileColumns, ","));
  for (const std::string& column : columns) text += "," + io::csv_cell(column);
  file.write(text + "\n");
  for (const io::RowRecord& row : rows) {
    if (row.failed) continue;
    text = fmt::format("{},{},{},{},{}", row.tile, row.x, row.y, row.width, row.height);
    for (const double number : row.numbers) text += fmt::format(",{}", number);
    file.write(text + "\n");
  }
  file.commit();
}

DeclaredOptions options_of(const WorkflowRequest& request, const io::Resolution& resolution,
                           const io::WorkingSlide& grid) {
  DeclaredOptions options = request.options;
  options.roi = working_roi(request.roi, grid.scale());
  check_run_options(grid, options.roi, options.window);
  options.slide_mpp = resolution.mpp;
  return options;
}

}  // namespace

WorkflowInput::WorkflowInput(const WorkflowRequest& request)
    : pipeline(load_pipeline(request.module)),
      slide(io::open_slide(request.input)),
      resolution(resolution_of(*slide, request.mpp)),
      grid(*slide, pipeline.declared().split.mpp, resolution.mpp),
      options(options_of(request, resolution, grid)),
      run{declared_run_key(slide->info(), pipeline, options), run_info(slide->info(), grid, resolution, options.roi)} {}

const ResultsOfRun& WorkflowPipeline::open_input() {
  check_outputs(request_, {request_.input, request_.module}, {kRowsOutput});
  input_.emplace(request_);
  if (request_.streams.wanted()) input_->pipeline.check_streams();
  return input_->run;
}

std::vector<std::string> WorkflowPipeline::notes() const {
  return notes_on(input_->slide->info(), input_->resolution, request_.quiet);
}

MemoryNeed WorkflowPipeline::memory_need() const {
  return memory_need_of(input_->grid, input_->pipeline, input_->options);
}

std::vector<std::int64_t> WorkflowPipeline::begin() {
  return declared_tiles_left(input_->grid, rows_of(results()), input_->pipeline, input_->options);
}

Computed WorkflowPipeline::compute(TileSource& tiles, const ProgressCallback& on_progress,
                                   const std::atomic<bool>& stop, mpi::Job* job) {
  DeclaredOptions options = input_->options;
  io::RowStore rows = rows_of(results());
  return run_over_tiles(request_, options.window, {tiles, on_progress, job},
                        [&](const MakeTileLoop& make_loop, TaskLog* log) {
                          options.log = log;
                          return run_declared(input_->grid, rows, input_->pipeline, options, make_loop, stop);
                        });
}

Conclusion WorkflowPipeline::conclude(const RunWork& work, const Ending& ending) {
  const std::vector<io::RowRecord> rows = rows_of(reopened_results()).rows();
  const auto done = std::ranges::count_if(rows, [](const io::RowRecord& row) { return !row.failed; });
  Conclusion told;
  told.database = results_file(request_);
  told.found = plural(done, "row");
  told.found_json = {{"rows", done}};
  told.resolution = input_->resolution;
  if (work.progress.interrupted) return told;
  const fs::path file = fs::path(request_.out) / kRowsOutput.name;
  ending.report.phase(fmt::format("writing {}", file.string()));
  write_csv(rows, input_->pipeline.declared().result.columns, file);
  told.exports.written = {file};
  return told;
}

}  // namespace starpath
