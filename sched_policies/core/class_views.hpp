// Tasks sorted once for each device class; a task that leaves one of these views leaves all of them.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <vector>

#include "sched_policies/core/active_groups.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Every task stands in the view of each device class that may run it; all CPU classes share one view. A worker takes
/// from the view of its class the highest weight; among equal weights the higher priority, then the older. Tasks whose
/// weight for a class is not known wait in a line of their own in its view (higher priority first, then arrival). The
/// head of that line and the choice by weight are compared: the higher priority goes, then the older.
///
/// Costs are logarithmic in the distinct weights, for each view. A task knows its places, so leaving a view takes no
/// search; the node that holds them comes from a pool.
class ClassViews {
 public:
  explicit ClassViews(PolicyEnvironment environment)
      : environment_(environment),
        pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
        groups_(environment.eligibility) {}

  /// `weigh(view)` is the weight of `task` for the class `view`, of which the first CPU class stands for all of them;
  /// an optional that is empty when the weight is not known, and never holds NaN.
  template <class Weigh>
  void insert(TaskRecord& task, Weigh weigh) {
    Group& group = groups_.of(task.group, [&] { return make_group(task.group); });
    Entry& entry = take_entry(task);
    for (std::size_t v = 0; v < group.views.size(); ++v) {
      const std::optional<double> weight = weigh(group.views[v].id);
      entry.known[v] = weight.has_value();
      append(entry, v, group.views[v].levels(entry.known[v]), {weight.value_or(0), task.priority});
    }
    ++group.size;
    ++size_;
  }

  /// Takes out the task for `worker`; nullptr when there is none that it may run.
  TaskRecord* take(WorkerId worker) {
    const ClassId id = view_of(environment_.machine.class_of(worker));
    const Level* level = nullptr;
    Entry* known = nullptr;
    Entry* unknown = nullptr;
    for (std::size_t slot = 0; slot < groups_.size(); ++slot) {
      if (!groups_.serves(slot, worker)) continue;
      View& view = groups_[slot].view(id);
      if (!view.known.empty()) {
        const auto& [best, line] = *view.known.begin();
        if (known == nullptr || best < *level || (!(*level < best) && line.first->sequence < known->sequence)) {
          known = line.first;
          level = &best;
        }
      }
      if (view.unknown.empty()) continue;
      Entry* const head = view.unknown.begin()->second.first;
      if (unknown == nullptr || goes_first(*head, *unknown)) unknown = head;
    }
    if (unknown != nullptr && (known == nullptr || goes_first(*unknown, *known))) return remove(*unknown);
    return known != nullptr ? remove(*known) : nullptr;
  }

  std::size_t size() const { return size_; }

 private:
  struct Level {
    double weight;
    int priority;
    bool operator<(const Level& other) const {
      return weight != other.weight ? weight > other.weight : priority > other.priority;
    }
  };
  struct Entry;
  struct Line {
    Entry* first = nullptr;
    Entry* last = nullptr;
  };
  using Levels = std::pmr::map<Level, Line>;

  /// A task's place in one view: its level, and its neighbours in the line of equals.
  struct Link {
    Entry* previous = nullptr;
    Entry* next = nullptr;
    Levels::iterator level;
  };
  /// A queued task with its places, in the order of its group's views.
  struct Entry {
    TaskRecord* task = nullptr;
    std::uint64_t sequence = 0;  // as in the task, whose record is cold
    int priority = 0;
    std::bitset<kMaxDeviceClasses> known;  // which of its views know its weight
    std::array<Link, kMaxDeviceClasses> links;
  };
  struct View {
    ClassId id;
    Levels known;
    Levels unknown;

    Levels& levels(bool weight_known) { return weight_known ? known : unknown; }
  };
  struct Group {
    std::vector<View> views;
    std::size_t size = 0;

    bool empty() const { return size == 0; }
    View& view(ClassId id) {
      std::size_t v = 0;
      while (views[v].id != id) ++v;
      return views[v];
    }
  };

  ClassId view_of(ClassId id) const {
    const Machine& machine = environment_.machine;
    return machine.classes()[id].kind == DeviceKind::cpu ? *machine.baseline() : id;
  }

  Group make_group(GroupId group) const {
    const Machine& machine = environment_.machine;
    std::bitset<kMaxDeviceClasses> needed;
    for (ClassId id = 0; id < machine.classes().size(); ++id) {
      if (environment_.eligibility.has_class(group, id)) needed.set(view_of(id));
    }
    Group made;
    made.views.reserve(needed.count());
    for (ClassId id = 0; id < machine.classes().size(); ++id) {
      if (needed[id]) made.views.push_back({.id = id, .known = Levels(pool_.get()), .unknown = Levels(pool_.get())});
    }
    return made;
  }

  Entry& take_entry(TaskRecord& task) {
    if (free_.empty()) free_.push_back(&entries_.emplace_back());
    Entry& entry = *free_.back();
    free_.pop_back();
    entry.task = &task;
    entry.sequence = task.sequence;
    entry.priority = task.priority;
    return entry;
  }

  static void append(Entry& entry, std::size_t v, Levels& levels, const Level& level) {
    Link& link = entry.links[v];
    link.level = levels.try_emplace(level).first;
    Line& line = link.level->second;
    link.previous = line.last;
    link.next = nullptr;
    (line.last == nullptr ? line.first : line.last->links[v].next) = &entry;
    line.last = &entry;
  }

  TaskRecord* remove(Entry& entry) {
    TaskRecord* const task = entry.task;
    Group& group = groups_.of(task->group, [&] { return make_group(task->group); });
    for (std::size_t v = 0; v < group.views.size(); ++v) {
      const Link& link = entry.links[v];
      Line& line = link.level->second;
      (link.previous == nullptr ? line.first : link.previous->links[v].next) = link.next;
      (link.next == nullptr ? line.last : link.next->links[v].previous) = link.previous;
      if (line.first == nullptr) group.views[v].levels(entry.known[v]).erase(link.level);
    }
    free_.push_back(&entry);
    --size_;
    if (--group.size == 0) groups_.retire(task->group);
    return task;
  }

  static bool goes_first(const Entry& a, const Entry& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.sequence < b.sequence;
  }

  PolicyEnvironment environment_;
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;  // outlives the views below
  ActiveGroups<Group> groups_;
  std::deque<Entry> entries_;
  std::vector<Entry*> free_;
  std::size_t size_ = 0;
};

}  // namespace starpath
