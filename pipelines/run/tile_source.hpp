// Where a run gets its stage instances from: its own list of tiles, or a manager elsewhere.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workflow/concrete_workflow.hpp"

namespace starpath {

using workflow::StageInstance;

/// A stage of a tile that is done. With `over` the tile is: its results are on the disk, or it was given up.
struct TileDone {
  std::int64_t index;
  bool failed, skipped;  // given up; skipped as background
  std::int64_t found;    // objects of the pipeline
  std::string failure;   // a line for the user; empty unless failed
  int stage = 0;
  bool over = true;
};

/// The data that a stage of a tile wrote on another process, packed by its job (TileJob::pack).
struct StageData {
  int stage;
  std::string bytes;
};

/// An instance to work on, with the data that it needs and this process does not keep.
struct GivenInstance {
  StageInstance instance;
  bool begins = true;  // its tile: nobody has worked on it before
  std::vector<StageData> inputs = {};
};

/// The messages of a source to the run that it feeds. Every member may be called on any thread and returns at once.
class TileSink {
 public:
  virtual ~TileSink() = default;
  virtual void give(std::vector<GivenInstance> instances) = 0;
  /// No tile is to be begun any more: instances that begin one go back to the source.
  virtual void drop() = 0;
  /// Nothing is given after this, and nobody else needs the data that this run keeps.
  virtual void no_more() = 0;
  /// Another process did this tile.
  virtual void done_elsewhere(const TileDone& tile) = 0;
  /// The whole work is over, which is when the run ends. `interrupted`: tiles are left.
  virtual void over(bool interrupted) = 0;
  /// Nobody needs the data that this run keeps of the tile.
  virtual void forget(std::int64_t tile) = 0;
  /// Another process, `to`, needs the data that this instance wrote. The answer goes through TileSource::send().
  virtual void hand_over(const StageInstance& instance, int to) = 0;
};

/// Used by the thread that runs the pipeline.
class TileSource {
 public:
  virtual ~TileSource() = default;
  /// The first call; `sink` lives until over() or until leave().
  virtual void start(TileSink& sink) = 0;
  /// Before the first request: stages that no worker here can run.
  virtual void cannot_run(const std::vector<int>& stages) = 0;
  /// There is room for so many instances more. They come through the sink, at once or one by one.
  virtual void request(std::size_t instances) = 0;
  virtual void finished(const TileDone& instance) = 0;
  /// The instance would begin a tile, after drop() or stop(): it is left.
  virtual void returned(const StageInstance& instance) = 0;
  /// The answer to TileSink::hand_over(); nothing when this run does not keep the data.
  virtual void send(const StageInstance& instance, int to, std::optional<std::string> data) = 0;
  /// The run was asked to stop: no tile is to be begun any more.
  virtual void stop() = 0;
  /// After no_more(): nothing is in flight any more.
  virtual void drained() = 0;
  /// The run ends without over(): the sink must not be used any more.
  virtual void leave() = 0;
};

}  // namespace starpath
