// The tiles that a run was given and has not begun.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// What a TileSink is told, in the same words.
struct TilesGiven {
  std::vector<std::int64_t> tiles;
};
struct NoMoreTiles {
  bool drop;
};
struct TileDoneElsewhere {
  TileDone tile;
};
struct WorkOver {
  bool interrupted;
};
using SourceEvent = std::variant<TilesGiven, NoMoreTiles, TileDoneElsewhere, WorkOver>;

/// Keeps a run's window filled from a source. For the run's thread; what the source says on its own threads goes
/// through `tell`, which shall bring it to handle() there.
class TileIntake : private TileSink {
 public:
  /// `window`: tiles asked for, waiting and in flight, at most.
  TileIntake(TileSource& source, std::size_t window, std::function<void(SourceEvent)> tell);
  ~TileIntake() override { source_.leave(); }
  TileIntake(const TileIntake&) = delete;
  TileIntake& operator=(const TileIntake&) = delete;

  std::size_t window() const { return window_; }
  bool has_next() const { return !waiting_.empty(); }
  /// Nothing waits, and nothing will come.
  bool exhausted() const { return no_more_ && waiting_.empty(); }
  /// The next tile to begin. Only when there is one.
  std::int64_t next();

  /// Asks for as many tiles as fit into the window beside those in flight.
  void ask(std::size_t in_flight);
  /// The run was asked to stop: what waits is left, and nothing is asked for any more.
  void stop();
  /// Nothing is in flight. When nothing will come either, tells the source so, once.
  void idle();
  void finished(const TileDone& tile) { source_.finished(tile); }

  void handle(const SourceEvent& event);
  /// How it ended, once the source said that all is over: the run ends then.
  const std::optional<WorkOver>& over() const { return over_; }

 private:
  void give(std::vector<std::int64_t> tiles) override { tell_(TilesGiven{std::move(tiles)}); }
  void no_more(bool drop) override { tell_(NoMoreTiles{drop}); }
  void done_elsewhere(const TileDone& tile) override { tell_(TileDoneElsewhere{tile}); }
  void over(bool interrupted) override { tell_(WorkOver{interrupted}); }

  TileSource& source_;
  const std::size_t window_;
  const std::function<void(SourceEvent)> tell_;
  std::deque<std::int64_t> waiting_;
  std::size_t asked_ = 0;  // and not given yet
  std::size_t dropped_ = 0;
  bool no_more_ = false, dropping_ = false, drained_ = false;
  std::optional<WorkOver> over_;
};

}  // namespace starpath
