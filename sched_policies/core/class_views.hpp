// Tasks sorted once for each device class. A task that leaves one of these views leaves all of them.
#pragma once
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <vector>

#include "sched_policies/core/active_groups.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"

namespace starpath {

/// Every task is in the view of each device class that may run it; all CPU classes share one view. A worker takes the
/// task with the highest weight in the view of its class; among equal weights the higher priority, then the older.
/// Tasks whose weight for a class is not known wait in a separate queue of its view (higher priority first, then the
/// older). The first task of that queue goes before the choice by weight if its priority is higher, or equal and it is
/// older.
///
/// Costs are logarithmic in the distinct weights of each view. A task's links lie side by side, so leaving a view
/// takes no search.
class ClassViews {
 public:
  explicit ClassViews(PolicyEnvironment environment)
      : environment_(environment),
        pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()),
        groups_(environment.eligibility),
        links_(std::max<std::size_t>(1, environment.machine.classes().size())) {}

  /// `weigh(id)` is the weight of `task` for the class `id`: nullopt if it is not known, never NaN. The first CPU class
  /// stands for all CPU classes.
  template <class Weigh>
  void insert(TaskRecord& task, Weigh weigh) {
    Group& group = groups_.of(task.group, [&] { return make_group(task.group); });
    Link* const links = links_.take();
    for (std::size_t v = 0; v < group.views.size(); ++v) {
      View& view = group.views[v];
      const std::optional<double> weight = weigh(view.id);
      links[v].task = &task;
      append(links[v], view.levels(weight.has_value()), {weight.value_or(0), task.priority, weight.has_value()});
    }
    ++group.size;
    ++size_;
  }

  /// Takes out the task for `worker`; nullptr when there is none that it may run.
  TaskRecord* take(WorkerId worker) {
    const ClassId id = view_of(environment_.machine.class_of(worker));
    const Level* level = nullptr;
    Choice known;
    Choice unknown;
    for (std::size_t slot = 0; slot < groups_.size(); ++slot) {
      if (!groups_.serves(slot, worker)) continue;
      const std::size_t v = groups_[slot].number_of(id);
      View& view = groups_[slot].views[v];
      if (!view.known.empty()) {
        const auto& [best, line] = *view.known.begin();
        if (!known || best < *level || (!(*level < best) && line.first->task->sequence < known.task().sequence)) {
          known = {line.first, v};
          level = &best;
        }
      }
      if (view.unknown.empty()) continue;
      const Choice head{view.unknown.begin()->second.first, v};
      if (!unknown || goes_first(head.task(), unknown.task())) unknown = head;
    }
    if (unknown && (!known || goes_first(unknown.task(), known.task()))) return remove(unknown);
    return known ? remove(known) : nullptr;
  }

  std::size_t size() const { return size_; }

 private:
  struct Level {
    double weight;
    int priority;
    bool known;  // all levels of a map agree in it
    bool operator<(const Level& other) const {
      return weight != other.weight ? weight > other.weight : priority > other.priority;
    }
  };
  struct Link;
  struct Line {
    Link* first = nullptr;
    Link* last = nullptr;
  };
  using Levels = std::pmr::map<Level, Line>;

  /// A task's link in one view: its level, and its neighbours among tasks of that level. The links of a task form a
  /// row, in the order of its group's views. No link straddles a cache line: long queues are cold.
  struct alignas(32) Link {
    TaskRecord* task = nullptr;
    Link* previous = nullptr;
    Link* next = nullptr;
    Levels::iterator level;
  };
  /// The head of a line, in view `v` of its group.
  struct Choice {
    Link* link = nullptr;
    std::size_t v = 0;

    explicit operator bool() const { return link != nullptr; }
    const TaskRecord& task() const { return *link->task; }
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
    std::size_t number_of(ClassId id) const {
      std::size_t v = 0;
      while (views[v].id != id) ++v;
      return v;
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

  static void append(Link& link, Levels& levels, const Level& level) {
    link.level = levels.try_emplace(level).first;
    Line& line = link.level->second;
    link.previous = line.last;
    link.next = nullptr;
    (line.last == nullptr ? line.first : line.last->next) = &link;
    line.last = &link;
  }

  TaskRecord* remove(Choice choice) {
    Link* const links = choice.link - choice.v;
    TaskRecord* const task = links->task;
    Group& group = groups_.of(task->group, [&] { return make_group(task->group); });
    for (std::size_t v = 0; v < group.views.size(); ++v) {
      const Link& link = links[v];
      Line& line = link.level->second;
      (link.previous == nullptr ? line.first : link.previous->next) = link.next;
      (link.next == nullptr ? line.last : link.next->previous) = link.previous;
      if (line.first == nullptr) group.views[v].levels(link.level->first.known).erase(link.level);
    }
    links_.give_back(links);
    --size_;
    if (--group.size == 0) groups_.retire(task->group);
    return task;
  }

  static bool goes_first(const TaskRecord& a, const TaskRecord& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.sequence < b.sequence;
  }

  PolicyEnvironment environment_;
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;  // outlives the views below
  ActiveGroups<Group> groups_;
  SlabPool<Link> links_;
  std::size_t size_ = 0;
};

}  // namespace starpath
