// PADAS: performance-aware dequeue, adapted. Tasks walk into one queue from its ends; cores take them where both meet.
#pragma once
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sched_policies/core/gain.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/task_sequence.hpp"

namespace starpath {

/// The queue as edc-2014 prints it. Side M, the paper's MIC, is the last accelerator class with workers; side G, its
/// GPU, is all others. A task's speedup on a side is its highest known one over the side's classes that may run it,
/// else 0.
///   - A task whose speedup is higher on M walks from the head of the queue to the first task with a smaller speedup on
///     M, and stands before it. Every other task walks from the tail in the same way, by speedups on G.
///   - A worker of M takes the first task from the head that it may run, a worker of G the first from the tail.
///   - A CPU worker takes at the limit between the tasks that walked from the head and those that walked from the tail:
///     the first that it may run after as many tasks as walked from the head, else the nearest one before.
/// The paper means one end for each accelerator, but a task that gains little walks past tasks of the other end that
/// gain more, up to the end that is not its own. With one accelerator class all tasks walk from the tail, and the queue
/// is sorted.
///
/// Ours, where the paper says nothing:
///   - Among equal speedups a task walks past those of its own priority and of higher ones. So accelerators take the
///     higher priority first, then the older task. What an accelerator would take last of them a CPU worker takes
///     first.
///   - Tasks that only CPU workers may run, and tasks without any known speedup, wait in queues of their own: higher
///     priority first, then the older. A CPU worker takes the former before it takes at the limit. The first of the
///     latter goes before the choice from the others if its priority is higher, or equal and it is older. So without
///     estimates PADAS is FCFS.
/// Source: edc-2014 section IV-B.
class Padas {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "padas",
      .description = "one queue that tasks enter from the end of their better accelerator; CPU takes where both meet",
      .uses_estimates = true};

  explicit Padas(PolicyEnvironment environment)
      : environment_(environment), cpu_only_(environment.eligibility), unknown_(environment.eligibility) {
    const auto& classes = environment.machine.classes();
    std::size_t accelerators = 0;
    for (ClassId id = 0; id < classes.size(); ++id) {
      if (classes[id].kind != DeviceKind::accelerator || environment.machine.count(id) == 0) continue;
      ++accelerators;
      side_m_ = id;
    }
    if (accelerators < 2) side_m_.reset();
  }

  void push(TaskRecord& task) {
    if (environment_.eligibility.kinds(task.group) == GroupKinds::cpu_only)
      return cpu_only_.insert({task.priority}, task);
    const auto on_m = gain_of(task, environment_, [this](ClassId id) { return id == side_m_; });
    const auto on_g = gain_of(task, environment_, [this](ClassId id) { return id != side_m_; });
    if (!on_m && !on_g) return unknown_.insert({task.priority}, task);
    const Walker own[] = {{on_m.value_or(0), task.priority}, {on_g.value_or(0), task.priority}};
    const End from = end_of(own[kHead], own[kTail]);
    const auto smaller = [&](const Facts& facts) { return facts.least[from] < own[from]; };
    const auto is_smaller = [&](const TaskRecord&, const Facts& facts) { return smaller(facts); };
    const Facts facts{.least = {own[kHead], own[kTail]}, .workers = workers_of(task.group)};
    const std::size_t place =
        from == kHead ? queue_.first(0, smaller, is_smaller) : queue_.last(queue_.size(), smaller, is_smaller);
    queue_.insert(place, task, facts);
    from_head_ += from == kHead;
  }

  TaskRecord* pop(WorkerId worker) {
    const auto cpu_only = cpu_only_.first(worker);
    const std::size_t place = cpu_only ? queue_.size() : place_for(worker);
    const bool found = place < queue_.size();
    if (const auto unknown = unknown_.first(worker)) {
      const TaskRecord* const known = cpu_only ? &cpu_only.front() : found ? &queue_.at(place) : nullptr;
      if (known == nullptr || goes_first(unknown.front(), *known)) return unknown_.remove_front(unknown);
    }
    if (cpu_only) return cpu_only_.remove_front(cpu_only);
    if (!found) return nullptr;
    const auto removed = queue_.remove(place);
    from_head_ -= end_of(removed.facts.least[kHead], removed.facts.least[kTail]) == kHead;
    return removed.task;
  }

  std::size_t size() const { return queue_.size() + cpu_only_.size() + unknown_.size(); }

 private:
  enum End : std::size_t { kHead, kTail };

  /// What a task passes when it walks, and stops others by: those of smaller speedup, and of equals those of lower
  /// priority.
  struct Walker {
    double speedup = std::numeric_limits<double>::infinity();
    int priority = std::numeric_limits<int>::max();
    auto operator<=>(const Walker&) const = default;
  };
  struct Facts {
    std::array<Walker, 2> least;  // for those who walk from each end
    std::uint64_t workers = 0;    // bit w % 64: worker w may run one of them

    bool operator==(const Facts&) const = default;
    Facts& operator+=(const Facts& other) {
      for (const End end : {kHead, kTail}) least[end] = std::min(least[end], other.least[end]);
      workers |= other.workers;
      return *this;
    }
  };

  /// From where a task walks.
  static End end_of(const Walker& on_m, const Walker& on_g) { return on_m.speedup > on_g.speedup ? kHead : kTail; }

  static std::uint64_t bit_of(WorkerId worker) { return std::uint64_t{1} << worker % 64; }

  static bool goes_first(const TaskRecord& a, const TaskRecord& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.sequence < b.sequence;
  }

  std::uint64_t workers_of(GroupId group) {
    if (group >= workers_of_.size()) workers_of_.resize(group + 1);
    std::uint64_t& bits = workers_of_[group];
    if (bits != 0) return bits;
    for (WorkerId worker = 0; worker < environment_.machine.workers(); ++worker)
      if (environment_.eligibility.contains(group, worker)) bits |= bit_of(worker);
    return bits;
  }

  /// Where the worker takes from the queue; the queue's size if it may run no task of it.
  std::size_t place_for(WorkerId worker) const {
    const auto some = [worker](const Facts& facts) { return (facts.workers & bit_of(worker)) != 0; };
    const auto runs = [&](const TaskRecord& task, const Facts&) {
      return environment_.eligibility.contains(task.group, worker);
    };
    const bool cpu = environment_.machine.kind_of(worker) == DeviceKind::cpu;
    std::size_t end = queue_.size();
    if (cpu || environment_.machine.class_of(worker) == side_m_) {
      const std::size_t begin = cpu ? from_head_ : 0;
      if (const std::size_t found = queue_.first(begin, some, runs); found < end) return found;
      end = begin;
    }
    const std::size_t behind = queue_.last(end, some, runs);
    return behind > 0 ? behind - 1 : queue_.size();
  }

  PolicyEnvironment environment_;
  std::optional<ClassId> side_m_;  // none: all tasks walk from the tail
  TaskSequence<Facts> queue_;
  std::size_t from_head_ = 0;  // how many in it walked from the head
  GroupedQueue<PriorityLevel> cpu_only_, unknown_;
  std::vector<std::uint64_t> workers_of_;  // by group; 0: not asked for yet
};

static_assert(Policy<Padas>);

}  // namespace starpath
