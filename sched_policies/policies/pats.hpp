// PATS: performance-aware task scheduling. CPU workers and accelerators take from two ends of a queue sorted by gain.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>

#include "sched_policies/core/gain.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Order. The speedup of a task on a class is its time on the first CPU class, divided by its time on that class. Its
/// gain is the highest known speedup among the accelerator classes that may run it. A CPU worker takes the task with
/// the smallest gain, an accelerator the task with the largest. Between equal gains the higher priority goes first,
/// then the older task, on both ends.
///   - A task that only CPU workers may run stands below every gain. One that only accelerators may run stands above.
///   - A task without a known gain waits in a separate queue (higher priority first, then the older). The first task of
///     that queue goes before the choice from the sorted queue if its priority is higher, or if it is equal and the
///     task is older. So without estimates PATS orders tasks as `fcfs` does, and a task without an estimate is
///     overtaken only by older tasks and by tasks of a higher priority.
/// Example: gains a 1, b 8, c 3, arrived in that order: a CPU takes a, then c; an accelerator takes b.
/// Source: hybrid-pipelines-2012 section IV-B (docs/policies.md lists the papers). The rules for priorities and unknown
/// tasks are ours.
class Pats {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "pats",
      .description = "sorted by accelerator speedup: CPU takes the smallest, accelerators the largest",
      .uses_estimates = true};

  explicit Pats(PolicyEnvironment environment)
      : environment_(environment), sorted_(environment.eligibility), unknown_(environment.eligibility) {}

  void push(TaskRecord& task) {
    if (const auto gain = gain_of(task)) {
      sorted_.insert({*gain, task.priority}, task);
    } else {
      unknown_.insert({0, task.priority}, task);
    }
  }

  TaskRecord* pop(WorkerId worker) {
    const auto known =
        environment_.machine.kind_of(worker) == DeviceKind::cpu ? sorted_.first(worker) : largest(worker);
    const auto unknown = unknown_.first(worker);
    if (unknown && (!known || goes_first(unknown, known))) return unknown_.remove_front(unknown);
    return known ? sorted_.remove_front(known) : nullptr;
  }

  std::size_t size() const { return sorted_.size() + unknown_.size(); }

 private:
  struct Level {
    double gain;
    int priority;
    bool operator<(const Level& other) const {
      return gain != other.gain ? gain < other.gain : priority > other.priority;
    }
  };
  using Queue = GroupedQueue<Level>;

  static bool goes_first(const Queue::Position& a, const Queue::Position& b) {
    return (*a).priority != (*b).priority ? (*a).priority > (*b).priority : a.front().sequence < b.front().sequence;
  }

  /// Infinite if only one kind of device may run the task: that orders the queue and is no estimate.
  std::optional<double> gain_of(const TaskRecord& task) const {
    const GroupKinds kinds = environment_.eligibility.kinds(task.group);
    if (kinds == GroupKinds::cpu_only) return -std::numeric_limits<double>::infinity();
    if (kinds == GroupKinds::accelerator_only) return std::numeric_limits<double>::infinity();
    return starpath::gain_of(task, environment_);
  }

  /// The tasks of the largest gain, and of the highest priority among them. The last level has that gain; a search
  /// finds the first level with it.
  Queue::Position largest(WorkerId worker) {
    return sorted_.best(
        worker,
        [](Queue::Levels& levels) {
          return levels.lower_bound({levels.rbegin()->first.gain, std::numeric_limits<int>::max()});
        },
        [](const Level& a, const Level& b) { return a.gain != b.gain ? a.gain > b.gain : a.priority > b.priority; });
  }

  PolicyEnvironment environment_;
  Queue sorted_;
  Queue unknown_;
};

static_assert(Policy<Pats>);

}  // namespace starpath
