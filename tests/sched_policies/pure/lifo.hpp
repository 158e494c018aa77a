// LIFO: the newest task first.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Order: higher priority first; among equal priorities the task queued last.
class Lifo {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "lifo", .description = "the newest task the worker can run", .uses_estimates = false};

  explicit Lifo(PolicyEnvironment environment) : queue_(environment.eligibility) {}

  void push(TaskRecord& task) { queue_.insert({task.priority, task.sequence}, task); }

  TaskRecord* pop(WorkerId worker) {
    const auto place = queue_.first(worker);
    return place ? queue_.remove_front(place) : nullptr;
  }

  std::size_t size() const { return queue_.size(); }

 private:
  struct Level {
    int priority;
    std::uint64_t sequence;
    bool operator<(const Level& other) const {
      return priority != other.priority ? priority > other.priority : sequence > other.sequence;
    }
  };

  GroupedQueue<Level> queue_;
};

static_assert(Policy<Lifo>);

}  // namespace starpath
