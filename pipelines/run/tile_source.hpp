// Where a run gets its tiles from: its own list, or a manager elsewhere.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace starpath {

/// A tile whose results are on the disk, or that was given up.
struct TileDone {
  std::int64_t index;
  bool failed, skipped;  // given up; skipped as background
  std::int64_t found;    // of what the pipeline looks for
  std::string failure;   // what to tell the user; empty unless failed
};

/// What a source tells the run that it feeds. Every member may be called on any thread and returns at once.
class TileSink {
 public:
  virtual ~TileSink() = default;
  /// Tiles to work on, by Tile::index.
  virtual void give(std::vector<std::int64_t> tiles) = 0;
  /// Nothing is given after this. With `drop`, what was given and is not begun is to be left.
  virtual void no_more(bool drop) = 0;
  /// Another process did this tile.
  virtual void done_elsewhere(const TileDone& tile) = 0;
  /// The whole work is over, which is when the run ends. `interrupted`: tiles are left.
  virtual void over(bool interrupted) = 0;
};

/// Used by the thread that runs the pipeline.
class TileSource {
 public:
  virtual ~TileSource() = default;
  /// The first call; `sink` lives until over() or until leave().
  virtual void start(TileSink& sink) = 0;
  /// There is room for so many more. They come through the sink, at once or one by one.
  virtual void request(std::size_t tiles) = 0;
  virtual void finished(const TileDone& tile) = 0;
  /// After no_more(), or when the run was asked to stop: nothing is in flight any more, and so many were given and
  /// left.
  virtual void drained(std::size_t dropped) = 0;
  /// The run ends without over(): the sink must not be used any more.
  virtual void leave() = 0;
};

}  // namespace starpath
