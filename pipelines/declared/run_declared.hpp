// A declared pipeline over the tiles of a slide, into a results file.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

#include "io/results/row_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tile_source.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

struct DeclaredOptions {
  Rect roi = {};           // working pixels; empty for the whole slide
  double slide_mpp = 0;    // um a level-0 pixel, as the run takes it; 0: unknown
  int window = 0;          // stage instances in flight; 0 for three times the number of workers
  int attempts = 3;        // for a tile that fails
  TaskLog* log = nullptr;  // gets every task, when there is one
};

/// What must agree for a run to be continued by another: slide, versions of starpath and of the pipeline, its
/// resolution, how it is cut, and the columns.
io::RunKey declared_run_key(const io::SlideInfo& slide, const DeclaredPipeline& pipeline,
                            const DeclaredOptions& options);

/// Indices of the tiles that `store` does not hold finished, in row-major order.
std::vector<std::int64_t> declared_tiles_left(const io::WorkingSlide& slide, const io::RowStore& store,
                                              const DeclaredPipeline& pipeline, const DeclaredOptions& options);

/// Of the largest tile of the slide, finished or not.
MemoryNeed memory_need_of(const io::WorkingSlide& slide, const DeclaredPipeline& pipeline,
                          const DeclaredOptions& options);

/// Runs the stage instances that `source` gives and commits each tile's row. `slide` has the pipeline's resolution.
/// StarPU must be running. Tiles that fail are tried options.attempts times, then recorded and passed over. Ends when
/// the source says that the work is over; once `stop` is true no tile is begun. `found` counts tiles with a row. Throws
/// Error{output} when a commit fails and Error{runtime} when StarPU has no worker for an operation.
Progress run_declared(const io::WorkingSlide& slide, io::RowStore& store, const DeclaredPipeline& pipeline,
                      const DeclaredOptions& options, TileSource& source, const ProgressCallback& on_progress,
                      const std::atomic<bool>& stop);

/// The same for the tiles that come to the loop which `make_loop` makes.
Progress run_declared(const io::WorkingSlide& slide, io::RowStore& store, const DeclaredPipeline& pipeline,
                      const DeclaredOptions& options, const MakeTileLoop& make_loop, const std::atomic<bool>& stop);

}  // namespace starpath
