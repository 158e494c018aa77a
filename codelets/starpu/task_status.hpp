// Whether the tasks of one tile still make sense: the first failure makes the ones behind it do nothing.
#pragma once
#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "codelets/starpu/tile_facts.hpp"

namespace starpath {

/// Shared by all tasks of a tile. Thread-safe.
class TaskStatus {
 public:
  /// `place` says where the tile is, for people.
  explicit TaskStatus(std::string place = "") : place_(std::move(place)) {}
  const std::string& place() const { return place_; }

  bool failed() const { return failed_.load(std::memory_order_acquire); }

  /// Keeps the first failure: the ones behind it follow from it.
  void fail(const std::string& reason) {
    const std::lock_guard lock(mutex_);
    if (failed()) return;
    reason_ = reason;
    failed_.store(true, std::memory_order_release);
  }

  /// Meaningful once failed() is true.
  std::string reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
  }

  /// Forgets the failure, for another attempt. Only while no task uses this status.
  void reset() { failed_.store(false, std::memory_order_release); }

 private:
  mutable std::mutex mutex_;
  std::string reason_;
  std::atomic<bool> failed_{false};
  const std::string place_;
};

/// cl_arg of every kernel's tasks. It must outlive the task.
struct TaskArguments {
  using Numbers = std::array<int, 8>;

  TaskStatus* status = nullptr;      // of the tile
  Numbers numbers = {};              // for the kernel's parameters of type int, in their order
  const TileFacts* facts = nullptr;  // of the tile, if anybody counts
};

}  // namespace starpath
