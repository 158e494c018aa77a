// What happens next in a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace starpath::lab {

/// Actions in order of their times; those of one time in the order they were entered. Not thread-safe.
class Events {
 public:
  using Action = std::function<void()>;

  double now() const { return now_; }

  /// `time` is not before now().
  void at(double time, Action action) { queue_.push({time, number_++, std::move(action)}); }

  /// Until nothing happens any more.
  void run() {
    while (!queue_.empty()) {
      Action action = std::move(const_cast<Event&>(queue_.top()).action);  // popped at once: its order is not needed
      now_ = queue_.top().time;
      queue_.pop();
      action();
    }
  }

  std::uint64_t happened() const { return number_; }

 private:
  struct Event {
    double time;
    std::uint64_t number;
    Action action;
    bool operator<(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  std::priority_queue<Event> queue_;
  std::uint64_t number_ = 0;
  double now_ = 0;
};

}  // namespace starpath::lab
