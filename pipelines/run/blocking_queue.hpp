// The queue through which finished tasks reach the thread that runs a pipeline.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace starpath {

/// Thread-safe.
template <class Event>
class BlockingQueue {
 public:
  void push(Event event) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back(std::move(event));
    }
    arrived_.notify_one();
  }

  /// Waits for the next event.
  Event pop() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !events_.empty(); });
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
};

}  // namespace starpath
