// A declared pipeline over the tiles of a slide.
#include "apps/workflow/pipeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/run/kept_files.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/roi.hpp"
#include "apps/run/slide_resolution.hpp"
#include "base/atomic_file.hpp"
#include "base/words.hpp"
#include "io/exports/csv_cell.hpp"
#include "io/results/result_parts.hpp"
#include "pipelines/run/run_info.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// Numbers as short as they can be read back.
void write_csv(const std::vector<io::RowRecord>& rows, const std::vector<std::string>& columns, const fs::path& path) {
  AtomicFile file(path);
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

}  // namespace

WorkflowInput::WorkflowInput(WorkflowArguments& arguments)
    : pipeline(load_pipeline(arguments.module)),
      slide(io::open_slide(arguments.input)),
      resolution(resolution_of(*slide, arguments.mpp)),
      grid(*slide, pipeline.declared().split.mpp, resolution.mpp) {
  DeclaredOptions& options = arguments.options;
  options.roi = working_roi(arguments.roi, grid.scale());
  check_run_options(grid, options.roi, options.window);
  options.log = arguments.wanted_log();
  options.slide_mpp = resolution.mpp;
  key = declared_run_key(slide->info(), pipeline, options);
  info = run_info(slide->info(), grid, resolution, options.roi);
}

/// It is asked for before the input is open too, when no rank needs to agree yet.
RankPlan WorkflowPipeline::plan() const {
  RankPlan plan;
  if (input_) plan.agreement = input_->pipeline.shape();
  return plan;
}

const io::RunKey& WorkflowPipeline::open() {
  check_outputs(arguments_, {arguments_.input, arguments_.module}, {kRowsFile});
  return input_.emplace(arguments_).key;
}

io::RowStore WorkflowPipeline::create(const fs::path& file) const {
  return io::RowStore::create(file, input_->key, input_->info, columns());
}

io::RowStore WorkflowPipeline::resume() const {
  io::RowStore store = io::RowStore::resume(results_file(arguments_), input_->key, columns());
  check_grid(store.info(), input_->info, arguments_);
  return store;
}

void WorkflowPipeline::warn() const { warn_of_resolution(input_->resolution); }

MemoryNeed WorkflowPipeline::memory_need() const {
  return memory_need_of(input_->grid, input_->pipeline, arguments_.options);
}

std::vector<std::int64_t> WorkflowPipeline::open_results() {
  const fs::path file = results_file(arguments_);
  const bool exists = prepare_results(
      arguments_, [&] { create(file); }, [&](const fs::path& part) { merge(part); });
  store_.emplace(exists ? resume() : create(file));
  return declared_tiles_left(input_->grid, *store_, input_->pipeline, arguments_.options);
}

Computed WorkflowPipeline::compute(TileSource& tiles, const ProgressCallback& on_progress,
                                   const std::atomic<bool>& stop, mpi::Job*) {
  return {run_declared(input_->grid, *store_, input_->pipeline, arguments_.options, tiles, on_progress, stop)};
}

std::int64_t WorkflowPipeline::merge(const fs::path& part) {
  return io::merge_row_part(results_file(arguments_), part, input_->key);
}

void WorkflowPipeline::conclude(ProgressReport& report, const std::atomic<bool>&, Outcome& outcome) {
  if (!store_) store_.emplace(resume());
  outcome.files = {results_file(arguments_)};
  const std::vector<io::RowRecord> rows = store_->rows();
  const auto done = std::ranges::count_if(rows, [](const io::RowRecord& row) { return !row.failed; });
  outcome.found = plural(done, "row");
  outcome.found_json = {{"rows", done}};
  tell_resolution(input_->resolution, outcome);
  if (outcome.progress.interrupted) return;
  const fs::path file = fs::path(arguments_.out) / kRowsFile;
  report.phase(fmt::format("writing {}", file.string()));
  write_csv(rows, input_->pipeline.declared().result.columns, file);
  outcome.files.push_back(file);
}

}  // namespace starpath::apps
