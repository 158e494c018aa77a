// One window of tiles for several runs: where one run has no tile left to begin, the next one's tiles are begun.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Gives runs their stage instances, at most `size` of all runs given and not finished. The run that joined first is
/// served first. Thread-safe; outlives its runs.
class TileWindow {
 public:
  /// `on_change` is called, on any thread, after a tile has ended or a run has left.
  explicit TileWindow(
      std::size_t size, std::function<void()> on_change = [] {});
  ~TileWindow();
  TileWindow(const TileWindow&) = delete;
  TileWindow& operator=(const TileWindow&) = delete;

  /// Adds a run with these tiles, whose instances it gets as ConcreteWorkflow orders them. Its tiles count as
  /// unfinished until they are finished or the run has ended.
  std::unique_ptr<TileSource> join(const std::vector<std::int64_t>& tiles,
                                   const workflow::AbstractWorkflow& workflow = workflow::single_stage("tile"));
  /// Tiles of all runs that are not finished.
  std::size_t unfinished() const;
  /// No tile is begun any more.
  void stop();

 private:
  class Source;
  struct Run {
    Run(const workflow::AbstractWorkflow& workflow, const std::vector<std::int64_t>& tiles) : work(workflow, tiles) {}
    workflow::ConcreteWorkflow work;
    std::size_t asked = 0, given = 0;  // given and not finished
    TileSink* sink = nullptr;
    bool told_end = false, ended = false;
  };

  void start(std::size_t run, TileSink& sink);
  void request(std::size_t run, std::size_t instances);
  void finished(std::size_t run, const TileDone& done);
  void returned(std::size_t run, const StageInstance& instance);
  void stop(std::size_t run);
  void drained(std::size_t run);
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
