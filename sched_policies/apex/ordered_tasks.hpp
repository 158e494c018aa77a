// Waiting tasks in order of a key.
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

/// Waiting tasks in order of a key; tasks with equal keys in order of arrival. Tasks that are inserted in order of
/// arrival, as almost all are, are linked through themselves. So costs grow with the distinct keys, not with the tasks.
/// A task that is inserted late, because its key changed or because it was queued again, takes a map entry.
template <class Key, TaskLink<Key> CostedTask::*kLink>
class OrderedTasks {
 public:
  explicit OrderedTasks(std::pmr::memory_resource* memory) : lines_(memory), late_(memory) {}

  void insert(const Key& key, CostedTask& task) {
    TaskLink<Key>& link = task.*kLink;
    link.line = lines_.try_emplace(key).first;
    TaskLine& line = link.line->second;
    if (line.last != nullptr && line.last->task->sequence > task.task->sequence) {
      late_.emplace(std::pair(key, task.task->sequence), &task);
      link.previous = link.next = &task;
      return;
    }
    link.previous = line.last;
    link.next = nullptr;
    (line.last == nullptr ? line.first : (line.last->*kLink).next) = &task;
    line.last = &task;
  }

  void remove(const Key& key, CostedTask& task) {
    TaskLink<Key>& link = task.*kLink;
    if (link.next == &task) {
      late_.erase({key, task.task->sequence});
      return;
    }
    TaskLine& line = link.line->second;
    (link.previous == nullptr ? line.first : (link.previous->*kLink).next) = link.next;
    (link.next == nullptr ? line.last : (link.next->*kLink).previous) = link.previous;
    if (line.first == nullptr) {
      lines_.erase(link.line);
    } else if (link.previous == nullptr) {
      fetch(*line.first);
    }
  }

  bool empty() const { return lines_.empty() && late_.empty(); }

  /// Of the lowest key, or of the highest, the oldest or the youngest task. Not while empty.
  CostedTask& lowest_oldest() const {
    if (late_.empty()) return *lines_.begin()->second.first;
    if (lines_.empty()) return *late_.begin()->second;
    CostedTask& linked = *lines_.begin()->second.first;
    const bool goes_first = std::pair(lines_.begin()->first, linked.task->sequence) < late_.begin()->first;
    return goes_first ? linked : *late_.begin()->second;
  }
  CostedTask& lowest_youngest() const {
    if (late_.empty()) return *lines_.begin()->second.last;
    const Key& key = late_.begin()->first.first;
    const auto late = std::prev(late_.upper_bound({key, std::numeric_limits<std::uint64_t>::max()}));
    if (lines_.empty() || key < lines_.begin()->first) return *late->second;
    CostedTask& linked = *lines_.begin()->second.last;
    return lines_.begin()->first < key || linked.task->sequence > late->first.second ? linked : *late->second;
  }
  CostedTask& highest_oldest() const {
    if (late_.empty()) return *lines_.rbegin()->second.first;
    const Key& key = late_.rbegin()->first.first;
    const auto late = late_.lower_bound({key, 0});
    if (lines_.empty() || lines_.rbegin()->first < key) return *late->second;
    CostedTask& linked = *lines_.rbegin()->second.first;
    return key < lines_.rbegin()->first || linked.task->sequence < late->first.second ? linked : *late->second;
  }

 private:
  /// Long queues are cold. The tasks that leave next are fetched in steps: each step reads what the one before fetched.
  static void fetch(const CostedTask& first) {
    const CostedTask* const second = (first.*kLink).next;
    fetch_ahead(first.task->owner);
    if (second == nullptr) return;
    fetch_ahead(second->task, sizeof(TaskRecord));
    fetch_ahead((second->*kLink).next, sizeof(CostedTask));
  }

  std::pmr::map<Key, TaskLine> lines_;
  std::pmr::map<std::pair<Key, std::uint64_t>, CostedTask*> late_;
};

}  // namespace starpath
