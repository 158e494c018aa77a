// The workers of a context that found nothing to do and were told of nothing since.
#pragma once
#include <starpu.h>

#include <atomic>
#include <memory>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// A flag for each worker, which the worker sets itself and a thread that has a task for it clears. Lock-free, and
/// sequentially consistent, so that "set the flag, look at the queue" and "fill the queue, look at the flags" cannot
/// miss each other.
class Waiters {
 public:
  Waiters() : flags_(std::make_unique<std::atomic<bool>[]>(STARPU_NMAXWORKERS)) {}

  bool any() const { return count_.load() != 0; }
  bool contains(WorkerId worker) const { return flags_[worker].load(); }
  void insert(WorkerId worker) {
    if (!flags_[worker].exchange(true)) count_.fetch_add(1);
  }
  /// Whether it was set.
  bool erase(WorkerId worker) {
    // Looks before it writes: mostly there is nothing to clear, and the flags share cache lines.
    if (!contains(worker) || !flags_[worker].exchange(false)) return false;
    count_.fetch_sub(1);
    return true;
  }
  /// Returns those whose flag it cleared: they may sleep.
  std::vector<int> clear() {
    std::vector<int> cleared;
    for (WorkerId worker = 0; worker < STARPU_NMAXWORKERS; ++worker) {
      if (erase(worker)) cleared.push_back(static_cast<int>(worker));
    }
    return cleared;
  }

 private:
  std::unique_ptr<std::atomic<bool>[]> flags_;
  std::atomic<int> count_ = 0;
};

}  // namespace starpath
