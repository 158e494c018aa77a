// A pipeline over tiles and the loop that runs it, as they see each other.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "codelets/starpu/tile_facts.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tile_job.hpp"

namespace starpath {

/// What the time of judging a tile depends on, in streams.
struct JudgingTraits {
  std::string name;         ///< in profiles
  std::vector<Fact> facts;  ///< known once a tile is read
};

/// A pipeline's part in a run over tiles. Called on the thread that runs the pipeline.
class TilePipeline {
 public:
  virtual ~TilePipeline() = default;
  /// Takes the GPU memory that the tiles need. Returns a line for each GPU that has too little.
  virtual std::vector<std::string> prepare_gpus() = 0;
  /// Stages that have an operation which no worker here can run.
  virtual std::vector<int> cannot_run() const { return {}; }
  /// The need of the tile that needs most.
  virtual MemoryNeed memory_need() const = 0;
  /// A job for the tile, without tasks.
  virtual std::unique_ptr<TileJob> make_job(std::int64_t tile) = 0;
  /// The last use of a job: its tile is over, or was given up for this reason (not empty). The pipeline calls
  /// TileLoop::done once the tile's results are on the disk.
  virtual void finish(TileJob& job, const std::string& error) = 0;
  /// Of a pipeline whose jobs can be read at one site and judged at another.
  virtual JudgingTraits judging() const { return {}; }
};

/// Used by the thread that runs the pipeline, except post(). StarPU must be running.
class TileLoop {
 public:
  virtual ~TileLoop() = default;

  /// Works until the source says that all is over. Once `stop` is true no new tile is begun and those in flight are
  /// finished. `total`: all tiles; `left`: tiles that are still to do. Throws as check_memory() does. Ends the process
  /// (end_run_without_memory) when the tiles in flight wait for memory that there will never be.
  virtual Progress work(std::size_t total, std::size_t left, const std::atomic<bool>& stop) = 0;

  /// Has work() call `event`. Thread-safe.
  virtual void post(std::function<void()> event) = 0;
  /// One task of the job has ended.
  virtual void task_ended(TileJob& job, const std::string& stage, bool reading, const TaskExecution& task) = 0;
  /// Of a tile that the pipeline was to finish.
  virtual void done(const TileDone& tile) = 0;
  /// No result can be written any more, for this reason.
  virtual void failed(const std::exception_ptr& reason) = 0;
};

struct TileRunOptions {
  std::size_t window;  // instances in flight
  int attempts;        // for a tile that fails
  TaskLog* log;        // gets every task, when there is one
};

/// Makes the loop of a pipeline, which outlives it. The pipeline may still be under construction.
using MakeTileLoop = std::function<std::unique_ptr<TileLoop>(TilePipeline& pipeline, const TileRunOptions& options)>;

}  // namespace starpath
