// How a run over tiles is done: one process alone, ranks that are handed tiles, or ranks with streams between them.
#pragma once
#include <functional>

#include "pipelines/run/tile_loop.hpp"
#include "runs/run_request.hpp"
#include "runs/run_steps.hpp"

namespace starpath {

/// Where the tiles of a run come from, and who hears of them.
struct TileFeed {
  TileSource& tiles;
  const ProgressCallback& on_progress;
  mpi::Job* job;  ///< nullptr in a process that is no rank
};

/// Throws Error{usage} for streams that this build or these ranks cannot have.
void check_streams(const StreamsAsked& streams);

/// Has `run` do a pipeline over the tiles with such a loop; its log is nullptr unless a record was asked for. `window`:
/// of streams (StreamOptions::window).
Computed run_over_tiles(const RunRequest& request, int window, const TileFeed& feed,
                        const std::function<Progress(const MakeTileLoop& make_loop, TaskLog* log)>& run);

}  // namespace starpath
