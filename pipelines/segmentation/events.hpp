// The queue through which finished tasks reach the thread that runs the pipeline.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath {

class TileJob;

/// One task of a tile has ended, on a worker of `kind` ("cpu", "cuda"), after `seconds` of execution.
struct Event {
  TileJob* job;
  Stage stage;
  const char* kind;
  double seconds;
};

/// Thread-safe.
class EventQueue {
 public:
  void push(const Event& event) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back(event);
    }
    arrived_.notify_one();
  }

  /// Waits for the next event.
  Event pop() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !events_.empty(); });
    const Event event = events_.front();
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_;
};

}  // namespace starpath
