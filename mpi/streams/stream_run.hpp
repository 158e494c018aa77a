// A pipeline over tiles on several ranks, with streams of buffers between them.
#pragma once
#include <cstdint>
#include <vector>

#include "mpi/job/job.hpp"
#include "mpi/protocol/stream.hpp"
#include "mpi/protocol/stream_team.hpp"
#include "mpi/streams/judging_times.hpp"
#include "pipelines/run/tile_loop.hpp"

namespace starpath::mpi {

struct StreamOptions {
  StreamPolicy policy = kStreamPolicies[0];
  int readers = 1;  // ranks from 0 that read; they judge too
  /// Requests of each worker: their number when the policy's windows are static (0: 4), the most of them when windows
  /// are dynamic (0: 64). A reader holds its equal part of (window + 1) tiles for each worker of the job.
  int window = 0;
  JudgingProfile profile = {};
};

/// What a rank has done.
struct StreamCounts {
  std::int64_t stored = 0;  // tiles whose results it has written
  Traffic buffers;          // that it has sent to other ranks
};

/// Loops that run a pipeline over the tiles that `source` gives, on all ranks of `job`. Readers read tiles, in tasks
/// that StarPU's policy schedules. They send them as buffers to the ranks that ask, and are told whether another round
/// is needed. Each rank judges buffers and writes the results. The workflow has one stage. StarPU must be running, with
/// these `workers`. In place of a stop, the job hears of signals. A rank that cannot write goes on until all streams
/// have ended, and throws then. A loop leaves its `counts`; all that is pointed to must outlive it. Source:
/// anthill-2010 section 5.3.
MakeTileLoop stream_runs(const StreamOptions& streams, const std::vector<StreamWorker>& workers, Job& job,
                         TileSource& source, const ProgressCallback& on_progress, StreamCounts& counts);

}  // namespace starpath::mpi
