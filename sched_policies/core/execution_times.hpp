// When the executions of one worker began and ended, from what its driver tells.
#pragma once
#include <algorithm>

namespace starpath {

/// A driver may give its device a task while another one runs there. The device begins it when that one ends, but the
/// driver tells of its start only after it has dealt with that end: tasks that depended on it are queued, and the
/// application's callbacks run. Meanwhile it does not look at the device, where this task, and some behind it, may have
/// ended too. They are then found ended one right after another.
///
/// Times are of one clock, in any unit, and never decrease. Not thread-safe.
class ExecutionTimes {
 public:
  struct Span {
    double started = 0;
    double finished = 0;
    bool sure = true;  ///< whether it took half as long as this at least, and half as long again at most
  };

  /// The driver gives its device a task that begins at once.
  void start(double now) {
    started_ = looked_ = now;
    unseen_ = 0;
    known_ = true;
  }

  /// The driver tells of a task that the device began when the one before ended.
  void start_behind(double now) {
    started_ = finished_;
    looked_ = now;
    unseen_ = std::max(late_, now - finished_);
    known_ = true;
  }

  /// The same when `end` was not told of the one before.
  void start_behind_another(double now) {
    start(now);
    known_ = false;
  }

  /// The driver tells of the end of the task that started last.
  Span end(double now) {
    finished_ = now;
    // What was found ended soon after nobody had looked may have ended in that time.
    late_ = std::max(0.0, unseen_ - (now - looked_));
    return {.started = started_, .finished = now, .sure = known_ && 2 * unseen_ <= now - started_};
  }

 private:
  double finished_ = 0;  // the last end
  double late_ = 0;      // so long before that it may have been, at most
  // Of the task that runs:
  double started_ = 0;
  double looked_ = 0;   // since then the driver looks whether it has ended
  double unseen_ = 0;   // for so long before, nobody looked
  bool known_ = false;  // whether `started_` is its start
};

}  // namespace starpath
