// A sorted queue split by eligibility group, so that a worker only ever sees tasks it may run.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>

#include "sched_policies/core/active_groups.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/fetch_ahead.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A level of tasks that nothing but their priority tells apart: the higher goes first.
struct PriorityLevel {
  int priority;
  bool operator<(const PriorityLevel& other) const { return priority > other.priority; }
};

/// Tasks sorted by `Level`, a totally ordered value type. Tasks of equal level leave in order of insertion. Costs are
/// logarithmic in the distinct levels. Tasks of a level are linked through their records, and levels come from a pool.
/// So a queue allocates memory only while it is longer than it ever was.
template <class Level>
class GroupedQueue {
  struct Line {
    TaskRecord* first = nullptr;
    TaskRecord* last = nullptr;
  };

 public:
  using Levels = std::pmr::map<Level, Line>;

  /// A position in the queue: the tasks of one level of one group. Valid until the queue changes.
  struct Position {
    std::size_t slot = kNoSlot;
    typename Levels::iterator level;

    explicit operator bool() const { return slot != kNoSlot; }
    const Level& operator*() const { return level->first; }
    /// The task that leaves it next.
    const TaskRecord& front() const { return *level->second.first; }
  };

  explicit GroupedQueue(const EligibilityTable& eligibility)
      : pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()), groups_(eligibility) {}

  void insert(const Level& level, TaskRecord& task) {
    Line& line = groups_.of(task.group, [&] { return Levels(pool_.get()); })[level];
    (line.first == nullptr ? line.first : line.last->next) = &task;
    line.last = &task;
    task.next = nullptr;
    ++size_;
  }

  TaskRecord* remove_front(const Position& position) {
    Line& line = position.level->second;
    TaskRecord* const task = line.first;
    line.first = task->next;
    --size_;
    if (line.first != nullptr) {
      fetch_ahead(line.first);  // the next one to leave
    } else {
      Levels& levels = groups_[position.slot];
      levels.erase(position.level);
      if (levels.empty()) groups_.retire(task->group);
    }
    return task;
  }

  /// The best position that `worker` may take from, if any. `choose` picks one level among those of a group, which
  /// has at least one. `better(a, b)`: level a goes before level b. Between equal levels of two groups the older task
  /// goes first.
  template <class Choose, class Better>
  Position best(WorkerId worker, Choose choose, Better better) {
    Position found;
    for (std::size_t slot = 0; slot < groups_.size(); ++slot) {
      if (!groups_.serves(slot, worker)) continue;
      const Position candidate{.slot = slot, .level = choose(groups_[slot])};
      if (!found || better(*candidate, *found) ||
          (!better(*found, *candidate) && candidate.front().sequence < found.front().sequence)) {
        found = candidate;
      }
    }
    return found;
  }

  /// The position of the smallest level that `worker` may take from.
  Position first(WorkerId worker) {
    return best(
        worker, [](Levels& levels) { return levels.begin(); }, [](const Level& a, const Level& b) { return a < b; });
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);

  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;  // outlives the levels below
  ActiveGroups<Levels> groups_;
  std::size_t size_ = 0;
};

}  // namespace starpath
