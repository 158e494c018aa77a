// One window of tiles for several runs: where one run has no tile left to begin, the next one's tiles are begun.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Gives runs their tiles, at most `size` of all runs begun and not finished. The run that joined first is served
/// first. Thread-safe; outlives its runs.
class TileWindow {
 public:
  /// `on_change` is called, on any thread, after a tile has ended or a run has left.
  explicit TileWindow(
      std::size_t size, std::function<void()> on_change = [] {});
  ~TileWindow();
  TileWindow(const TileWindow&) = delete;
  TileWindow& operator=(const TileWindow&) = delete;

  /// Adds a run with these tiles, which it gets in their order. Its tiles count as unfinished until they are finished
  /// or the source is destroyed.
  std::unique_ptr<TileSource> join(const std::vector<std::int64_t>& tiles);
  /// Tiles of all runs that are not finished.
  std::size_t unfinished() const;
  /// Nothing is given any more; what was given and is not begun is to be left.
  void stop();

 private:
  class Source;
  struct Run {
    std::deque<std::int64_t> left;
    std::size_t asked = 0, given = 0;  // given and not finished
    TileSink* sink = nullptr;
    bool told_end = false;
  };

  void start(std::size_t run, TileSink& sink);
  void request(std::size_t run, std::size_t tiles);
  void finished(std::size_t run);
  void drained(std::size_t run, std::size_t dropped);
  void disconnect(std::size_t run);
  void remove(std::size_t run);
  /// With mutex_ held.
  void serve();

  const std::size_t size_;
  const std::function<void()> on_change_;
  mutable std::mutex mutex_;
  std::map<std::size_t, Run> runs_;  // by the order in which they joined
  std::size_t joined_ = 0, given_ = 0;
  bool stopped_ = false;
};

}  // namespace starpath
