// FCFS: first come, first served. One FIFO; a worker takes the oldest task it may run.
#pragma once
#include <cstddef>

#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Order: higher priority first; among equal priorities, order of arrival. Estimates play no part.
/// Source: edc-2014 section IV-B and hybrid-pipelines-2012 section IV, the baseline of both.
class Fcfs {
 public:
  static constexpr PolicyInfo kInfo{.name = "fcfs",
                                    .description = "first come, first served: the oldest task the worker can run",
                                    .uses_estimates = false};

  explicit Fcfs(PolicyEnvironment environment) : queue_(environment.eligibility) {}

  void push(TaskRecord& task) { queue_.insert({task.priority}, task); }

  TaskRecord* pop(WorkerId worker) {
    const auto place = queue_.first(worker);
    return place ? queue_.remove_front(place) : nullptr;
  }

  std::size_t size() const { return queue_.size(); }

 private:
  GroupedQueue<PriorityLevel> queue_;
};

static_assert(Policy<Fcfs>);

}  // namespace starpath
