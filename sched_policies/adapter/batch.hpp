// Short tasks that a worker took at once.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>

namespace starpath {

struct PlannedTask;

/// Holds tasks that a worker took together, because to decide about each would take longer than to run it. The worker
/// fills it under the context's lock, when all earlier ones were taken. Then the worker takes them one by one without
/// the lock; others may take them under the lock. A taker gets the oldest. While tasks are in here, they count as
/// queued like any others.
class Batch {
 public:
  static constexpr std::size_t kMost = 16;

  /// Whether nothing can be taken; also true while it is being filled.
  bool all_taken() const { return left_.load(std::memory_order_relaxed) == 0; }

  /// Once all were taken.
  void clear() { size_ = 0; }
  bool full() const { return size_ == kMost; }
  /// Nobody can take it before `close`.
  void add(PlannedTask& record) { tasks_[size_++] = &record; }
  void close(double now) {
    closed_ = now;
    left_.store(size_, std::memory_order_release);
  }

  /// How many there were.
  std::size_t size() const { return size_; }
  PlannedTask& operator[](std::size_t place) const { return *tasks_[place]; }
  /// When, in seconds.
  double closed() const { return closed_; }
  /// What would be taken next, under the lock; nullptr: nothing.
  const PlannedTask* next() const {
    const std::size_t left = left_.load(std::memory_order_acquire);
    return left == 0 ? nullptr : tasks_[size_ - left];
  }

  struct Taken {
    PlannedTask* record = nullptr;  ///< nullptr: there was none
    std::size_t place = 0;
  };
  Taken take() {
    std::size_t left = left_.load(std::memory_order_acquire);
    do {
      if (left == 0) return {};
    } while (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel, std::memory_order_acquire));
    return {.record = tasks_[size_ - left], .place = size_ - left};
  }

 private:
  std::array<PlannedTask*, kMost> tasks_{};  // in order
  std::size_t size_ = 0;
  double closed_ = 0;
  std::atomic<std::size_t> left_ = 0;
};

}  // namespace starpath
