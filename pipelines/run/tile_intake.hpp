// The stage instances that a run was given and has not begun.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// The events of a TileSink, in the same words.
struct InstancesGiven {
  std::vector<GivenInstance> instances;
};
struct BeginNoTile {};
struct NoMoreInstances {};
struct ForgetTile {
  std::int64_t tile;
};
struct DataWanted {
  StageInstance instance;
  int by;
};
struct TileDoneElsewhere {
  TileDone tile;
};
struct WorkOver {
  bool interrupted;
};
using SourceEvent =
    std::variant<InstancesGiven, BeginNoTile, NoMoreInstances, TileDoneElsewhere, WorkOver, ForgetTile, DataWanted>;

/// Keeps a run's window filled from a source. For the run's thread. Events on threads of the source go through `tell`,
/// which shall bring them to handle() on the run's thread.
class TileIntake : private TileSink {
 public:
  /// `window`: instances asked for, waiting and in flight, at most.
  TileIntake(TileSource& source, std::size_t window, std::function<void(SourceEvent)> tell);
  ~TileIntake() override { source_.leave(); }
  TileIntake(const TileIntake&) = delete;
  TileIntake& operator=(const TileIntake&) = delete;

  std::size_t window() const { return window_; }
  bool has_next() const { return !waiting_.empty(); }
  /// Nothing waits, and nothing will come.
  bool exhausted() const { return no_more_ && waiting_.empty(); }
  /// The next instance to begin. Only when there is one.
  GivenInstance next();

  /// Asks for as many instances as fit into the window beside those in flight.
  void ask(std::size_t in_flight);
  /// The run was asked to stop: no tile is begun any more.
  void stop();
  /// Nothing is in flight. When nothing will come either, tells the source so, once.
  void idle();
  void cannot_run(const std::vector<int>& stages) { source_.cannot_run(stages); }
  void finished(const TileDone& instance) { source_.finished(instance); }
  void send(const StageInstance& instance, int to, std::optional<std::string> data) {
    source_.send(instance, to, std::move(data));
  }

  void handle(const SourceEvent& event);
  /// How it ended, once the source said that all is over: the run ends then.
  const std::optional<WorkOver>& over() const { return over_; }

 private:
  void give(std::vector<GivenInstance> instances) override { tell_(InstancesGiven{std::move(instances)}); }
  void drop() override { tell_(BeginNoTile{}); }
  void no_more() override { tell_(NoMoreInstances{}); }
  void done_elsewhere(const TileDone& tile) override { tell_(TileDoneElsewhere{tile}); }
  void over(bool interrupted) override { tell_(WorkOver{interrupted}); }
  void forget(std::int64_t tile) override { tell_(ForgetTile{tile}); }
  void hand_over(const StageInstance& instance, int to) override { tell_(DataWanted{instance, to}); }
  void return_beginnings();

  TileSource& source_;
  const std::size_t window_;
  const std::function<void(SourceEvent)> tell_;
  std::deque<GivenInstance> waiting_;
  std::size_t asked_ = 0;  // and not given yet
  bool no_more_ = false, dropping_ = false, drained_ = false;
  std::optional<WorkOver> over_;
};

}  // namespace starpath
