// Ends of tasks that workers leave for whoever takes the context's lock next.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_graph.hpp"

namespace starpath {

/// One end a worker, left without a lock. A worker that ends a task is about to ask for another, under the lock: its
/// end is taken in then at the latest, before anything else is decided, so that each task costs one lock less.
class EndedTasks {
 public:
  struct End {
    const void* task = nullptr;
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
    double now = 0;                  ///< seconds
    std::optional<double> ran = {};  ///< seconds, where that was measured
  };

  explicit EndedTasks(std::size_t workers) : of_(workers) {}

  /// By the thread that drives `worker`. False when its last end was not taken in yet: then nothing is left.
  bool leave(WorkerId worker, const End& end) {
    Left& own = of_[worker];
    if (own.waits.load(std::memory_order_acquire)) return false;
    own.end = end;
    own.waits.store(true, std::memory_order_relaxed);
    own.before = last_.load(std::memory_order_relaxed);
    while (!last_.compare_exchange_weak(own.before, &own, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return true;
  }

  /// Calls `ended(worker, end)` for all that were left, in that order. Calls are serialised by the context's lock.
  template <class Ended>
  void take_in(Ended ended) {
    if (last_.load(std::memory_order_relaxed) == nullptr) return;
    Left* ordered = nullptr;
    for (Left* left = last_.exchange(nullptr, std::memory_order_acquire); left != nullptr;) {
      Left* const before = std::exchange(left->before, ordered);
      ordered = std::exchange(left, before);
    }
    while (ordered != nullptr) {
      Left& own = *std::exchange(ordered, ordered->before);
      ended(static_cast<WorkerId>(&own - of_.data()), own.end);
      own.waits.store(false, std::memory_order_release);
    }
  }

 private:
  struct alignas(64) Left {
    End end;
    Left* before = nullptr;
    std::atomic<bool> waits = false;
  };

  std::vector<Left> of_;  // by worker
  alignas(64) std::atomic<Left*> last_ = nullptr;
};

}  // namespace starpath
