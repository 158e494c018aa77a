// NBIA over a slide on several ranks, with streams of buffers between them.
#pragma once
#include <cstdint>
#include <vector>

#include "io/results/field_store.hpp"
#include "io/slides/working_slide.hpp"
#include "mpi/job/job.hpp"
#include "mpi/protocol/stream.hpp"
#include "mpi/protocol/stream_team.hpp"
#include "mpi/streams/judging_times.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run/progress.hpp"

namespace starpath::mpi {

struct StreamOptions {
  StreamPolicy policy = kStreamPolicies[0];
  int readers = 1;  // ranks from 0 that read; they judge too
  /// Requests of each worker: their number when the policy's windows are static (0: 4), the most of them when windows
  /// are dynamic (0: 64). A reader holds its equal part of (window + 1) fields for each worker of the job.
  int window = 0;
  JudgingProfile profile = {};
};

struct StreamResult {
  Progress progress;
  std::int64_t stored = 0;  // fields that this rank has committed
  Traffic buffers;          // that it has sent to other ranks
};

/// Judges the fields that `source` gives, on all ranks of `job`. Readers read and reduce fields, in tasks that StarPU's
/// policy schedules. They send them as buffers to the ranks that ask, and are told whether the next level is needed.
/// Each rank judges buffers and commits its decisions to its `store`. StarPU must be running, with these `workers`. The
/// contract of run_nbia_fields holds, except for options.window. A rank that cannot write goes on until all streams
/// have ended, and throws then. Source: anthill-2010 section 5.3.
StreamResult run_nbia_stream(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                             const NbiaOptions& options, const StreamOptions& streams,
                             const std::vector<StreamWorker>& workers, Job& job, TileSource& source,
                             const ProgressCallback& on_progress);

}  // namespace starpath::mpi
