// DQAA: how many tasks a worker should have requested ahead, from what a request and a task take.
#pragma once
#include <algorithm>
#include <cmath>

namespace starpath {

/// The dynamic queue adaptation algorithm: one worker's window of requested tasks, which are on their way to it or wait
/// at it. A pure state machine without a clock: the caller measures seconds and reports each event. If a request takes
/// as long as n tasks, n requests must be under way to keep the worker busy. More than n leave workers unequally loaded
/// in the end. The target starts at 1 and moves by at most one with each processed task:
///
///     request latency / processing time, rounded up  >  target: one more;  <  target: one less
///
/// Rounded up, because requests are whole: if 1.9 are needed, a target that goes to and fro between 1 and 2 lets the
/// worker wait half of the time.
///
/// Invariants: 1 <= target() <= limit; a request counts from `sent` until `refused` or `taken`.
///
///     Dqaa window;
///     while (window.due()) { window.sent(); ... }  // ask for as many tasks as it wants
///     window.answered(0.03);                       // the task came 0.03 s after the request
///     window.taken();                              // the worker starts it: a place is free
///     window.processed(0.01);                      // 0.03 / 0.01 > 1: the target is now 2
///
/// Not thread-safe. Source: anthill-2010 section 5.3.1, Algorithms 2 and 3. Their listing counts a task that leaves the
/// queue as one more request, where the text needs one less. Rounding and bounds are ours.
class Dqaa {
 public:
  /// `limit`: most tasks that may be requested at once, at least 1; what the memory at the worker allows.
  explicit Dqaa(unsigned limit = 1024) : limit_(std::max(limit, 1U)) {}

  /// Requests to send now.
  unsigned due() const { return target_ > requested_ ? target_ - requested_ : 0; }
  unsigned target() const { return target_; }
  /// Requests sent whose tasks the worker has not started.
  unsigned requested() const { return requested_; }

  void sent() { ++requested_; }

  /// A task arrived, `seconds` after its request was sent.
  void answered(double seconds) {
    if (std::isfinite(seconds) && seconds >= 0) latency_ = seconds;
  }

  /// The answer was that there is no task. Its latency is not used.
  void refused() { release(); }

  /// The worker takes a task out of its window and starts it.
  void taken() { release(); }

  /// The worker finished a task that took `seconds`; times that are not positive and finite are ignored.
  void processed(double seconds) {
    if (!std::isfinite(seconds) || seconds <= 0) return;
    const double wanted = std::ceil(latency_ / seconds);
    if (wanted > target_) {
      target_ = std::min(target_ + 1, limit_);
    } else if (wanted < target_) {
      target_ = std::max(target_ - 1, 1U);
    }
  }

 private:
  void release() {
    if (requested_ > 0) --requested_;
  }

  unsigned limit_;
  unsigned target_ = 1;
  unsigned requested_ = 0;
  double latency_ = 0;  // of the request answered last
};

}  // namespace starpath
