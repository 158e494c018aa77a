// Where a run over tiles stands, told as it changes.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "pipelines/run/progress.hpp"
#include "pipelines/run/task_execution.hpp"

namespace starpath {

/// For the thread that runs the pipeline. Time passes from its construction on.
class RunProgress {
 public:
  /// `on_progress` may be empty; it must outlive this.
  explicit RunProgress(const ProgressCallback& on_progress) : on_progress_(on_progress) {}

  /// Sets how many of `total` tiles are left to do. Reports nothing by itself.
  void expect(std::size_t total, std::size_t left) {
    progress_.tiles_total = static_cast<std::int64_t>(total);
    progress_.tiles_done = progress_.tiles_resumed = static_cast<std::int64_t>(total - left);
  }
  void tell(const std::string& failure = "") {
    progress_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (on_progress_) on_progress_(progress_, failure);
  }
  /// Each once.
  void tell_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      progress_.note = note;
      tell();
    }
    progress_.note.clear();
  }
  void task_ended(const std::string& stage, const TaskExecution& run) {
    StageShare& share = progress_.shares[run.kind][stage];
    ++share.tasks;
    share.seconds += run.seconds();
  }
  /// Counts it and tells. A tile that several ranks have given up, each for another of its stages, counts once.
  void finished(const TileDone& tile) {
    if (tile.failed && !failed_.insert(tile.index).second) return;
    progress_.count(tile);
    tell(tile.failure);
  }
  Progress ended(bool interrupted) {
    progress_.interrupted = interrupted;
    return progress_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const ProgressCallback& on_progress_;
  const Clock::time_point begin_ = Clock::now();
  Progress progress_;
  std::unordered_set<std::int64_t> failed_;  // tiles
};

}  // namespace starpath
