// A tile on its way through a pipeline, as the loop that runs the pipeline sees it.
#pragma once
#include <optional>
#include <string>

#include "pipelines/run/stage_tasks.hpp"
#include "pipelines/run/tile_buffer.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Used by the thread that runs the pipeline, and by one task at a time. Tasks hold its address: it must not be
/// destroyed before its last task has ended.
class TileJob {
 public:
  TileJob() = default;
  virtual ~TileJob() = default;
  TileJob(const TileJob&) = delete;
  TileJob& operator=(const TileJob&) = delete;

  /// Submits the first tasks of a stage, and before them those of earlier stages whose data are not here. Throws
  /// Error{runtime} when no worker can run one of them, as advance() does.
  virtual void start(int stage) = 0;
  /// All tasks submitted so far have ended, and none has failed. Submits the next ones; false when the stage is done.
  virtual bool advance() = 0;
  /// Whether a stage that is done was the last: always in a workflow of one.
  virtual bool over() const { return true; }
  /// Forgets a failed attempt and all data, for another start().
  virtual void reset() = 0;
  virtual StageTasks& tasks() = 0;

  // In workflows of several stages:

  /// The data of this stage that later stages need: bytes for unpack() on another process. Nothing when they are not
  /// here.
  virtual std::optional<std::string> pack(int stage);
  /// Gives a new job the data that `stage` wrote elsewhere. Throws Error{mismatch} when they cannot be these data.
  virtual void unpack(int stage, const std::string& bytes);

  // In streams, where one site reads a tile and others judge it, round for round:

  /// The site that reads: submits the tasks that make the tile's buffer of this round. The first round is 0.
  virtual void read(int round);
  /// The buffer that read() has made; once only. Of a job that has read nothing: one to receive it into.
  virtual TileBuffer buffer(int round);
  /// The site that judges, a job of its own: submits the first tasks on the buffer. advance() goes on, and over() says
  /// at last that no other round is needed.
  virtual void judge(int round, TileBuffer buffer);

  double read_seconds = 0, compute_seconds = 0;
  int attempts = 0;
  StageInstance instance{};  // in work, or done last
};

}  // namespace starpath
