// The queue through which finished tasks reach the thread that runs a pipeline.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace starpath {

/// Thread-safe.
template <class Event>
class BlockingQueue {
 public:
  /// The queue is not used any more once the event has been taken out, so it may end then.
  void push(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    arrived_.notify_one();
  }

  /// Waits for the next event.
  Event pop() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !events_.empty(); });
    return take();
  }

  /// The same, but no longer than `limit`.
  template <class Duration>
  std::optional<Event> pop(Duration limit) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, limit, [&] { return !events_.empty(); })) return std::nullopt;
    return take();
  }

 private:
  Event take() {
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
};

}  // namespace starpath
