// Tasks whose run time is not known on every device class yet: who runs them until it is.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sched_policies/core/class_ratios.hpp"
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
///   - But a core leaves a task to accelerators that may run it, as long as nothing is known of its codelet. Then it
///     tries one if they would need as long for all tasks that wait here as it is guessed to need for this one, and if
///     no core of its class tries the codelet already. So one task may run on the wrong device for long, but the next
///     ones do not follow it.
///   - Accelerators that have not asked for long (kSilent; kAway while one runs a task) keep no core from a task.
/// First is the higher priority, then the older. Costs are logarithmic in the tasks and linear in the codelets and
/// groups that have tasks here. Times are seconds of the caller's clock. Not thread-safe.
class Exploration {
 public:
  Exploration(PolicyEnvironment environment, unsigned runs)
      : environment_(environment), workers_(environment.machine.workers()) {
    const Machine& machine = environment.machine;
    runs_.fill(runs);
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if (is_accelerator(machine.class_of(worker))) ++runs_[machine.class_of(worker)];
    }
  }

  /// The classes that have workers in the context. The others are not explored.
  void set_present(const ClassSet& present) { present_ = present; }
  /// Whether a class that has some may run tasks of the group.
  bool any_present(GroupId group) const {
    for (ClassId id = 0; id < environment_.machine.classes().size(); ++id) {
      if (present_[id] && environment_.eligibility.has_class(group, id)) return true;
    }
    return false;
  }

  /// What is known of the run time of a task.
  struct Outlook {
    ClassSet unexplored = {};    ///< classes to be explored with it; any: it is to be kept here
    ClassSet explored = {};      ///< those that may run it and whose time is known
    ClassSeconds expected = {};  ///< as known, or as guessed

    /// Nothing is known of its codelet.
    bool unknown() const {
      return std::ranges::none_of(expected, [](const auto& seconds) { return seconds.has_value(); });
    }
  };
  /// Of a task of `group`. One on classes of `never_known` is not to be explored: it would wait here for ever.
  Outlook look(GroupId group, const ClassSeconds& seconds, const Guesses& guesses, const ClassSet& never_known) const {
    Outlook found;
    for (ClassId id = 0; id < environment_.machine.classes().size(); ++id) {
      const bool here = present_[id] && environment_.eligibility.has_class(group, id);
      found.unexplored[id] = here && !seconds[id] && !never_known[id];
      found.explored[id] = here && seconds[id];
      found.expected[id] = seconds[id] ? seconds[id] : guesses.seconds[id];
    }
    return found;
  }

  void push(TaskRecord& task, const Outlook& outlook, double now) {
    if (task.codelet >= handed_out_.size()) handed_out_.resize(task.codelet + 1);
    const auto [place, fresh] = lines_.try_emplace({task.codelet, task.group});
    Line& line = place->second;
    if (fresh) line.since = now;
    line.outlook = outlook;
    line.tasks.emplace(Order{-std::int64_t{task.priority}, task.sequence}, &task);
  }

  /// The task for `worker`, out of here or the one that `pop()` returns, or nullptr. `now` may be anything while this
  /// is empty.
  template <class Pop>
  TaskRecord* next(WorkerId worker, double now, Pop pop) {
    if (!lines_.empty()) workers_[worker].asked = now;
    TaskRecord* const found = choose(worker, now, pop);
    workers_[worker].busy = found != nullptr;
    return found;
  }

  /// `worker` asks for a task, or has left: what it took has ended here. Returns the codelet that it tried, if it did.
  std::optional<CodeletId> asks(WorkerId worker) {
    workers_[worker].busy = false;
    return std::exchange(workers_[worker].tries, std::nullopt);
  }
  /// `worker` was given a task by the policy whose time on the worker's class was guessed. Whether this is a try.
  bool begin_try(WorkerId worker, const TaskRecord& task) {
    if (is_accelerator(environment_.machine.class_of(worker))) return false;
    workers_[worker].tries = task.codelet;
    return true;
  }
  /// The classes with a core that tries the codelet.
  ClassSet tried(CodeletId codelet) const {
    ClassSet classes;
    for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
      const ClassId id = environment_.machine.class_of(worker);
      if (workers_[worker].tries == codelet && !is_accelerator(id)) classes.set(id);
    }
    return classes;
  }

  /// Whether `worker` would get a task that waits here.
  bool offers(WorkerId worker, double now) const { return find(worker, false, now) != lines_.end(); }
  bool empty() const { return lines_.empty(); }

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
  // Seconds. An idle worker asks thousands of times in the first; a task of a GPU rarely lasts as long as the second.
  static constexpr double kSilent = 1;
  static constexpr double kAway = 600;

  using Order = std::pair<std::int64_t, std::uint64_t>;  // of a task in its line: the smallest leaves first
  struct Line {
    Outlook outlook;   // of the task that came last
    double since = 0;  // when it began
    std::map<Order, TaskRecord*> tasks;
  };
  using Lines = std::map<std::pair<CodeletId, GroupId>, Line>;
  struct Worker {
    double asked = 0;
    bool busy = false;               // it got a task then
    std::optional<CodeletId> tries;  // of that task, if it is one that the worker's class has no sample of
  };

  bool is_accelerator(ClassId id) const { return environment_.machine.classes()[id].kind == DeviceKind::accelerator; }

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

  template <class Pop>
  TaskRecord* choose(WorkerId worker, double now, Pop pop) {
    if (lines_.empty()) return pop();
    const bool due = passed_ >= environment_.machine.workers();
    if (TaskRecord* const explored = take(worker, !due, now)) return explored;
    if (TaskRecord* const other = pop()) {
      ++passed_;
      return other;
    }
    return take(worker, false, now);
  }

  /// The first task that `worker` may run, among all or among those by which it explores its class.
  TaskRecord* take(WorkerId worker, bool to_explore, double now) {
    const auto found = find(worker, to_explore, now);
    if (found == lines_.end()) return nullptr;
    const ClassId id = environment_.machine.class_of(worker);
    auto& tasks = lines_.find(found->first)->second.tasks;
    TaskRecord* const task = tasks.begin()->second;
    if (found->second.outlook.unexplored[id]) workers_[worker].tries = task->codelet;
    tasks.erase(tasks.begin());
    if (tasks.empty()) lines_.erase(found);
    ++handed_out_[task->codelet][id];
    passed_ = 0;
    return task;
  }

  Lines::const_iterator find(WorkerId worker, bool to_explore, double now) const {
    const ClassId id = environment_.machine.class_of(worker);
    auto found = lines_.end();
    for (auto place = lines_.begin(); place != lines_.end(); ++place) {
      const auto& [key, line] = *place;
      const auto& [codelet, group] = key;
      if (!environment_.eligibility.contains(group, worker)) continue;
      if (to_explore && (!line.outlook.unexplored[id] || handed_out_[codelet][id] >= runs_[id])) continue;
      if (found != lines_.end() && line.tasks.begin()->first >= found->second.tasks.begin()->first) continue;
      if (is_accelerator(id) || may_try(id, codelet, group, line, now)) found = place;
    }
    return found;
  }

  /// Whether a core of class `id` may take a task of that line.
  bool may_try(ClassId id, CodeletId codelet, GroupId group, const Line& line, double now) const {
    const Outlook& outlook = line.outlook;
    std::array<double, kMaxDeviceClasses> come{};  // accelerators that may run it, by class
    bool any_here = false, any_come = false;
    for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
      const ClassId other = environment_.machine.class_of(worker);
      if (!is_accelerator(other) || !environment_.eligibility.contains(group, worker)) continue;
      if (!outlook.unexplored[other] && !outlook.explored[other]) continue;
      any_here = true;
      const Worker& at = workers_[worker];
      if (now > std::max(at.asked, line.since) + (at.busy ? kAway : kSilent)) continue;
      any_come = true;
      ++come[other];
    }
    if (!any_here) return true;
    if (outlook.unexplored[id] && tried(codelet)[id]) return false;
    if (!any_come) return true;
    if (!outlook.expected[id]) return false;
    double backlog = 0;
    for (const auto& [key, other] : lines_) {
      double speed = 0;
      for (ClassId a = 0; a < kMaxDeviceClasses; ++a) {
        const auto& seconds = other.outlook.expected[a] ? other.outlook.expected[a] : outlook.expected[a];
        if (come[a] > 0 && environment_.eligibility.has_class(key.second, a) && seconds) speed += come[a] / *seconds;
      }
      if (speed > 0) backlog += static_cast<double>(other.tasks.size()) / speed;
    }
    return *outlook.expected[id] <= backlog;
  }

  const PolicyEnvironment environment_;
  std::array<unsigned, kMaxDeviceClasses> runs_{};
  ClassSet present_;
  std::vector<Worker> workers_;
  std::vector<std::array<unsigned, kMaxDeviceClasses>> handed_out_;  // tasks from here, by codelet and class
  Lines lines_;                                                      // none is empty
  std::size_t passed_ = 0;                                           // tasks that `pop()` gave since the last one left
};

}  // namespace starpath
