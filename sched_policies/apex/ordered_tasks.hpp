// Waiting tasks in order of urgency.
#pragma once
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory_resource>
#include <utility>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/core/fetch_ahead.hpp"

namespace starpath {

/// Waiting tasks in order of urgency; tasks of equal urgency in order of arrival. Tasks that are inserted in order of
/// arrival, as almost all are, are linked through themselves. So costs grow with the distinct urgencies, not with the
/// tasks. A task that is inserted late, because its urgency changed or because it moved, takes a map entry.
class OrderedTasks {
 public:
  explicit OrderedTasks(std::pmr::memory_resource* memory) : lines_(memory), late_(memory) {}

  void insert(CostedTask& task) {
    task.line = lines_.try_emplace(task.urgency).first;
    TaskLine& line = task.line->second;
    if (line.last != nullptr && line.last->task->sequence > task.task->sequence) {
      late_.emplace(std::pair(task.urgency, task.task->sequence), &task);
      task.previous = task.next = &task;
      return;
    }
    task.previous = line.last;
    task.next = nullptr;
    (line.last == nullptr ? line.first : line.last->next) = &task;
    line.last = &task;
  }

  void remove(CostedTask& task) {
    if (task.next == &task) {
      late_.erase({task.urgency, task.task->sequence});
      return;
    }
    TaskLine& line = task.line->second;
    (task.previous == nullptr ? line.first : task.previous->next) = task.next;
    (task.next == nullptr ? line.last : task.next->previous) = task.previous;
    if (line.first == nullptr) {
      lines_.erase(task.line);
    } else if (task.previous == nullptr) {
      fetch(*line.first);
    }
  }

  bool empty() const { return lines_.empty() && late_.empty(); }

  /// The oldest of the most urgent tasks. Not while empty.
  CostedTask& first() const {
    if (late_.empty()) return *lines_.rbegin()->second.first;
    const Urgency key = late_.rbegin()->first.first;
    const auto late = late_.lower_bound({key, 0});
    if (lines_.empty() || lines_.rbegin()->first < key) return *late->second;
    CostedTask& linked = *lines_.rbegin()->second.first;
    return key < lines_.rbegin()->first || linked.task->sequence < late->first.second ? linked : *late->second;
  }
  /// The youngest of the least urgent tasks. Not while empty.
  CostedTask& last() const {
    if (late_.empty()) return *lines_.begin()->second.last;
    const Urgency key = late_.begin()->first.first;
    const auto late = std::prev(late_.upper_bound({key, std::numeric_limits<std::uint64_t>::max()}));
    if (lines_.empty() || key < lines_.begin()->first) return *late->second;
    CostedTask& linked = *lines_.begin()->second.last;
    return lines_.begin()->first < key || linked.task->sequence > late->first.second ? linked : *late->second;
  }

 private:
  /// Long queues are cold. The tasks that leave next are fetched in steps: each step reads what the one before fetched.
  static void fetch(const CostedTask& first) {
    const CostedTask* const second = first.next;
    fetch_ahead(first.task->owner);
    if (second == nullptr) return;
    fetch_ahead(second->task, sizeof(TaskRecord));
    fetch_ahead(second->next, sizeof(CostedTask));
  }

  std::pmr::map<Urgency, TaskLine> lines_;
  std::pmr::map<std::pair<Urgency, std::uint64_t>, CostedTask*> late_;
};

}  // namespace starpath
