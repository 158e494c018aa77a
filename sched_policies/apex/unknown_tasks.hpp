// Ready tasks whose run times are not known, so that no place can be planned for them.
#pragma once
#include <cstddef>

#include "sched_policies/core/grouped_queue.hpp"

namespace starpath {

/// The higher priority goes first, then the older task, also beside a task that is planned. Not thread-safe.
class UnknownTasks {
 public:
  explicit UnknownTasks(const EligibilityTable& eligibility) : queue_(eligibility) {}

  void insert(TaskRecord& task) { queue_.insert({task.priority}, task); }

  /// The first one that `worker` may run, taken out, if it goes before `planned` (nullptr: before nothing); nullptr:
  /// none.
  TaskRecord* take_before(WorkerId worker, const TaskRecord* planned) {
    const auto found = queue_.first(worker);
    if (!found) return nullptr;
    const TaskRecord& head = found.front();
    if (planned != nullptr &&
        (head.priority != planned->priority ? head.priority < planned->priority : head.sequence > planned->sequence)) {
      return nullptr;
    }
    return queue_.remove_front(found);
  }

  std::size_t size() const { return queue_.size(); }

 private:
  GroupedQueue<PriorityLevel> queue_;
};

}  // namespace starpath
