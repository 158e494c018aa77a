// Ready tasks that nothing is planned for: run times are not known, or so short that a plan is not worth its cost.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Queues ready tasks that nothing is planned for. The higher priority goes first, then the older task; the same rule
/// decides between the first of them and a planned task. Not thread-safe.
class UnplannedTasks {
 public:
  explicit UnplannedTasks(PolicyEnvironment environment) : environment_(environment), queue_(environment.eligibility) {}

  /// Whether a class that may run tasks of the group has no run time.
  bool unknown(GroupId group, const ClassSeconds& seconds) const {
    for (ClassId id = 0; id < environment_.machine.classes().size(); ++id)
      if (environment_.eligibility.has_class(group, id) && !seconds[id]) return true;
    return false;
  }

  void insert(TaskRecord& task) {
    queue_.insert({task.priority}, task);
    guessed_ += task.guessed != 0;
  }

  /// The first one that `worker` may run; nullptr: none.
  const TaskRecord* first(WorkerId worker) {
    const auto found = queue_.first(worker);
    return found ? &found.front() : nullptr;
  }
  /// That one, taken out, if it goes before `planned` (nullptr: before nothing); nullptr: none.
  TaskRecord* take_before(WorkerId worker, const TaskRecord* planned) {
    const auto found = queue_.first(worker);
    if (!found) return nullptr;
    const TaskRecord& head = found.front();
    if (planned != nullptr &&
        (head.priority != planned->priority ? head.priority < planned->priority : head.sequence > planned->sequence)) {
      return nullptr;
    }
    return remove(found);
  }

  /// Takes out those of the codelet whose run times were guessed, in the order of their arrival. Costs nothing if there
  /// are none of any codelet, else O(n log n).
  std::vector<TaskRecord*> take_guessed(CodeletId codelet) {
    std::vector<TaskRecord*> taken, others;
    for (WorkerId worker = 0; guessed_ > 0 && worker < environment_.machine.workers(); ++worker) {
      while (const auto found = queue_.first(worker)) {
        TaskRecord* const task = remove(found);
        (task->guessed != 0 && task->codelet == codelet ? taken : others).push_back(task);
      }
    }
    std::ranges::sort(taken, {}, &TaskRecord::sequence);
    std::ranges::sort(others, {}, &TaskRecord::sequence);
    for (TaskRecord* const task : others) insert(*task);
    return taken;
  }

  std::size_t size() const { return queue_.size(); }

 private:
  using Queue = GroupedQueue<PriorityLevel>;

  TaskRecord* remove(const Queue::Position& position) {
    TaskRecord* const task = queue_.remove_front(position);
    guessed_ -= task->guessed != 0;
    return task;
  }

  const PolicyEnvironment environment_;
  Queue queue_;
  std::size_t guessed_ = 0;  // tasks in it
};

}  // namespace starpath
