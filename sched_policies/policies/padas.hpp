// PADAS: performance-aware deque, adapted. Two accelerator classes take the ends of one double-ended queue, CPU its
// middle.
#pragma once
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

#include "sched_policies/core/gain.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// The queue. Side A is the first accelerator class of the machine; side B is all others. A task's speedup on a side is
/// its highest known speedup over the side's classes that may run it. A task is in the second half of the queue if its
/// speedup is higher on side B, else in the first half. A side without a known speedup counts as lower. From head to
/// tail the first half falls in speedup on A, and the second half rises in speedup on B. So accelerators gain least
/// from the tasks at the boundary of the halves:
///
///     head  [A 9] [A 4] [A 2] | [B 3] [B 7] [B 20]  tail
///     A takes ^                 ^ CPU takes [A 2]      ^ B takes
///
/// Order. A worker of side A takes the first task from the head that it may run; a worker of side B the first from the
/// tail. So a worker whose half is empty takes the task from which the other side gains least. A CPU worker takes one
/// of the two tasks at the boundary: the one with the smaller speedup. Among equal speedups of a half, and between
/// equal speedups at the boundary, the higher priority goes first, then the older.
///   - A task that only CPU workers may run stands at the boundary, below every speedup.
///   - A task without a known speedup waits in a separate queue: higher priority first, then the older. The first task
///     of that queue goes before the choice from the other if its priority is higher, or equal and it is older. So
///     without estimates PADAS is FCFS. Tasks that only accelerators may run are treated alike.
///   - With one accelerator class the second half is empty. PADAS is then PATS, except for tasks that only accelerators
///     may run.
/// Source: edc-2014 section IV-B and its Figure 5. Ours: which of the two tasks at the boundary a CPU takes, the sides
/// with more than two accelerator classes, and the rules for ties, priorities, unknown and restricted tasks.
class Padas {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "padas",
      .description =
          "one double-ended queue: two accelerator classes take its ends, CPU the middle where both gain least",
      .uses_estimates = true};

  explicit Padas(PolicyEnvironment environment)
      : environment_(environment), queue_(environment.eligibility), unknown_(environment.eligibility) {
    const auto& classes = environment.machine.classes();
    while (first_ < classes.size() && classes[first_].kind != DeviceKind::accelerator) ++first_;
  }

  void push(TaskRecord& task) {
    if (const auto level = level_of(task)) {
      queue_.insert(*level, task);
    } else {
      unknown_.insert({.half = 0, .position = 0, .priority = task.priority}, task);
    }
  }

  TaskRecord* pop(WorkerId worker) {
    const auto known = choose(worker);
    const auto unknown = unknown_.first(worker);
    if (unknown && (!known || goes_first(unknown, known))) return unknown_.remove_front(unknown);
    return known ? queue_.remove_front(known) : nullptr;
  }

  std::size_t size() const { return queue_.size() + unknown_.size(); }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr int kFirstOfEquals = std::numeric_limits<int>::max();

  /// From head to tail. The position is minus the speedup in the first half (0), the speedup in the second (1).
  struct Level {
    int half;
    double position;
    int priority;

    double speedup() const { return half == 0 ? -position : position; }
    bool operator<(const Level& other) const {
      if (half != other.half) return half < other.half;
      return position != other.position ? position < other.position : priority > other.priority;
    }
  };
  using Queue = GroupedQueue<Level>;

  static bool goes_first(const Queue::Position& a, const Queue::Position& b) {
    return (*a).priority != (*b).priority ? (*a).priority > (*b).priority : a.front().sequence < b.front().sequence;
  }

  std::optional<Level> level_of(const TaskRecord& task) const {
    // Infinity: below every speedup. It orders the queue and is no estimate.
    if (environment_.eligibility.kinds(task.group) == GroupKinds::cpu_only) return Level{0, kInfinity, task.priority};
    const auto on_a = gain_of(task, environment_, [this](ClassId id) { return id == first_; });
    const auto on_b = gain_of(task, environment_, [this](ClassId id) { return id != first_; });
    if (on_b && (!on_a || *on_b > *on_a)) return Level{1, *on_b, task.priority};
    return on_a ? std::optional(Level{0, -*on_a, task.priority}) : std::nullopt;
  }

  Queue::Position choose(WorkerId worker) {
    if (environment_.machine.kind_of(worker) == DeviceKind::cpu) return boundary(worker);
    return environment_.machine.class_of(worker) == first_ ? queue_.first(worker) : tail(worker);
  }

  Queue::Position tail(WorkerId worker) {
    return queue_.best(
        worker, [](Queue::Levels& levels) { return first_of_equals(levels, std::prev(levels.end())); },
        [](const Level& a, const Level& b) {
          if (a.half != b.half) return a.half > b.half;
          return a.position != b.position ? a.position > b.position : a.priority > b.priority;
        });
  }

  Queue::Position boundary(WorkerId worker) {
    const auto smaller = [](const Level& a, const Level& b) {
      return a.speedup() != b.speedup() ? a.speedup() < b.speedup() : a.priority > b.priority;
    };
    return queue_.best(
        worker,
        [smaller](Queue::Levels& levels) {
          const auto second = levels.lower_bound({.half = 1, .position = -kInfinity, .priority = kFirstOfEquals});
          if (second == levels.begin()) return second;
          const auto first = first_of_equals(levels, std::prev(second));
          if (second == levels.end() || smaller(first->first, second->first)) return first;
          if (smaller(second->first, first->first)) return second;
          return first->second.first->sequence < second->second.first->sequence ? first : second;
        },
        smaller);
  }

  /// The level of the highest priority among those with the same half and position as `level`.
  static Queue::Levels::iterator first_of_equals(Queue::Levels& levels, Queue::Levels::iterator level) {
    return levels.lower_bound({level->first.half, level->first.position, kFirstOfEquals});
  }

  PolicyEnvironment environment_;
  ClassId first_ = 0;  // the first accelerator class: side A
  Queue queue_;
  Queue unknown_;
};

static_assert(Policy<Padas>);

}  // namespace starpath
