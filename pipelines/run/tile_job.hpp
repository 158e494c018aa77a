// A tile on its way through a pipeline, as the loop that runs the pipeline sees it.
#pragma once
#include "pipelines/run/stage_tasks.hpp"

namespace starpath {

/// Used by the thread that runs the pipeline, and by one task at a time. Tasks hold its address: it must not be
/// destroyed before its last task has ended.
class TileJob {
 public:
  TileJob() = default;
  virtual ~TileJob() = default;
  TileJob(const TileJob&) = delete;
  TileJob& operator=(const TileJob&) = delete;

  /// Submits the first tasks. Throws Error{runtime} when no worker can run one, as advance() does.
  virtual void start() = 0;
  /// All tasks submitted so far have ended, and none has failed. Submits the next ones; false when there are none.
  virtual bool advance() = 0;
  /// Forgets a failed attempt, for another start().
  virtual void reset() = 0;
  virtual StageTasks& tasks() = 0;

  double read_seconds = 0, compute_seconds = 0;
  int attempts = 0;
};

}  // namespace starpath
