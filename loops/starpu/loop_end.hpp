// When a loop is over, and whether it has failed.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

#include "loops/starpu/loop_pieces.hpp"

namespace starpath {

/// Counts holds: one for each piece that is submitted, and one for each caller that may still submit some. The loop is
/// over when the last one is released. A new LoopEnd has one hold. Thread-safe.
class LoopEnd {
 public:
  explicit LoopEnd(LoopPieces& pieces) : pieces_(pieces) {}

  /// For a caller that has another hold.
  void hold() { ++holds_; }
  /// False when the loop is over.
  bool try_hold();
  void release();

  /// No further piece is fetched. The first reason is reported.
  void fail(const std::string& reason);
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// Valid once the loop is over.
  const std::string& reason() const { return reason_; }

  /// Returns when the loop is over. Once only: throws Error{usage} after that.
  void wait();
  bool waited() const { return phase_ == Phase::waited_for; }

 private:
  enum class Phase { running, over, waited_for };

  LoopPieces& pieces_;
  std::atomic<std::size_t> holds_{1};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Phase phase_ = Phase::running;
  std::string reason_;
};

}  // namespace starpath
