// The clock of simulated nodes.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>

#include "base/pure/event_queue.hpp"

namespace starpath::lab {

/// Actions in order of their times; actions of one time in the order in which they were entered. Not thread-safe.
class Events {
 public:
  using Action = std::function<void()>;

  double now() const { return now_; }

  /// `time` is not before now().
  void at(double time, Action action) { queue_.push(time, std::move(action)); }

  /// Until nothing happens any more.
  void run() {
    while (!queue_.empty()) {
      const auto event = queue_.pop();
      now_ = event.time;
      event.payload();
    }
  }

  std::uint64_t happened() const { return queue_.pushed(); }

 private:
  EventQueue<Action> queue_;
  double now_ = 0;
};

}  // namespace starpath::lab
