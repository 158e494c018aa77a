// Tasks whose run time is not known on every device class yet: who runs them until it is.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Holds queued tasks that a class with workers here may run but of whose codelet it has no sample, so that a policy
/// cannot place them. Until there is one:
///   - A worker of such a class takes the first of them, before any other task, as often as `runs` says for each
///     codelet and class. On accelerators once more for each worker of the class, whose first run teaches nothing
///     (Estimates::learn). So each class is explored early, and a bounded number of times.
///   - A worker for which the policy has no task takes the first of them.
///   - So does any worker that asks once as many tasks as there are workers were handed out since the last one left:
///     no task waits for a class whose workers do not come.
/// First is the higher priority, then the older. Costs are logarithmic in the tasks and linear in the codelets and
/// groups that have tasks here. Not thread-safe.
class Exploration {
 public:
  Exploration(PolicyEnvironment environment, unsigned runs) : environment_(environment) {
    const Machine& machine = environment.machine;
    runs_.fill(runs);
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if (machine.kind_of(worker) == DeviceKind::accelerator) ++runs_[machine.class_of(worker)];
    }
  }

  /// The classes that have workers in the context. The others are not explored.
  void set_present(const ClassSet& present) { present_ = present; }

  /// The classes to be explored with a task of `group` whose run times are known as in `seconds`. One on classes of
  /// `never_known` is not: it would wait here for ever.
  ClassSet unexplored(GroupId group, const ClassSeconds& seconds, const ClassSet& never_known) const {
    ClassSet found;
    for (ClassId id = 0; id < environment_.machine.classes().size(); ++id) {
      found[id] = present_[id] && !seconds[id] && !never_known[id] && environment_.eligibility.has_class(group, id);
    }
    return found;
  }

  void push(TaskRecord& task, const ClassSet& unexplored) {
    if (task.codelet >= handed_out_.size()) handed_out_.resize(task.codelet + 1);
    Line& line = lines_[{task.codelet, task.group}];
    line.unexplored = unexplored;
    line.tasks.emplace(Order{-std::int64_t{task.priority}, task.sequence}, &task);
  }

  /// The task for `worker`, out of here or the one that `pop()` returns, or nullptr.
  template <class Pop>
  TaskRecord* next(WorkerId worker, Pop pop) {
    if (lines_.empty()) return pop();
    const bool due = passed_ >= environment_.machine.workers();
    if (TaskRecord* const explored = take(worker, !due)) return explored;
    if (TaskRecord* const other = pop()) {
      ++passed_;
      return other;
    }
    return take(worker, false);
  }

  /// Takes out all, in the order of their arrival.
  std::vector<TaskRecord*> take_all() {
    std::vector<TaskRecord*> tasks;
    take_lines(lines_.begin(), lines_.end(), tasks);
    return by_arrival(std::move(tasks));
  }

  /// Those of some codelets. Costs nothing for the others.
  std::vector<TaskRecord*> take_all(const std::vector<CodeletId>& codelets) {
    std::vector<TaskRecord*> tasks;
    for (const CodeletId codelet : codelets) {
      const auto first = lines_.lower_bound({codelet, 0});
      auto last = first;
      while (last != lines_.end() && last->first.first == codelet) ++last;
      take_lines(first, last, tasks);
    }
    return by_arrival(std::move(tasks));
  }

 private:
  using Order = std::pair<std::int64_t, std::uint64_t>;  // of a task in its line: the smallest leaves first
  struct Line {
    ClassSet unexplored;
    std::map<Order, TaskRecord*> tasks;
  };
  using Lines = std::map<std::pair<CodeletId, GroupId>, Line>;

  void take_lines(Lines::iterator first, Lines::iterator last, std::vector<TaskRecord*>& tasks) {
    if (first == last) return;
    for (auto place = first; place != last; ++place) {
      for (const auto& [order, task] : place->second.tasks) tasks.push_back(task);
    }
    lines_.erase(first, last);
    passed_ = 0;
  }

  static std::vector<TaskRecord*> by_arrival(std::vector<TaskRecord*> tasks) {
    std::ranges::sort(tasks, {}, &TaskRecord::sequence);
    return tasks;
  }

  /// The first task that `worker` may run, among all or among those by which it explores its class.
  TaskRecord* take(WorkerId worker, bool to_explore) {
    const ClassId id = environment_.machine.class_of(worker);
    auto found = lines_.end();
    for (auto place = lines_.begin(); place != lines_.end(); ++place) {
      const auto& [key, line] = *place;
      const auto& [codelet, group] = key;
      if (!environment_.eligibility.contains(group, worker)) continue;
      if (to_explore && (!line.unexplored[id] || handed_out_[codelet][id] >= runs_[id])) continue;
      if (found == lines_.end() || line.tasks.begin()->first < found->second.tasks.begin()->first) found = place;
    }
    if (found == lines_.end()) return nullptr;
    auto& tasks = found->second.tasks;
    TaskRecord* const task = tasks.begin()->second;
    tasks.erase(tasks.begin());
    if (tasks.empty()) lines_.erase(found);
    ++handed_out_[task->codelet][id];
    passed_ = 0;
    return task;
  }

  const PolicyEnvironment environment_;
  std::array<unsigned, kMaxDeviceClasses> runs_{};
  ClassSet present_;
  std::vector<std::array<unsigned, kMaxDeviceClasses>> handed_out_;  // tasks from here, by codelet and class
  Lines lines_;                                                      // none is empty
  std::size_t passed_ = 0;                                           // tasks that `pop()` gave since the last one left
};

}  // namespace starpath
