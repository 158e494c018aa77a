// PAMS: performance-aware multiqueue scheduling. One sorted queue a device class, every task in all of them.
#pragma once
#include <cstddef>
#include <limits>
#include <optional>

#include "sched_policies/core/class_views.hpp"
#include "sched_policies/core/gain.hpp"
#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Order. A worker of an accelerator class takes the task with the highest known speedup on that class. A CPU worker
/// takes the task with the smallest gain, which is the highest known speedup over the accelerator classes that may run
/// it. Among equals the higher priority, then the older.
///   - A task that only CPU workers may run goes first on a CPU. A task that only accelerators may run goes first on
///     each of those.
///   - A task whose speedup on a class is not known (for a CPU: on no accelerator) waits in a separate queue of that
///     class: higher priority first, then the older. The first task of that queue goes before the choice by speedup if
///     its priority is higher, or equal and it is older. So without estimates PAMS is FCFS.
/// Example: speedups on classes A and B of x (4, 2), y (9, 8), z (1, 3): A takes y, B takes y, a CPU takes z.
/// Source: edc-2014 section IV-B. The rules for ties, priorities, unknown and restricted tasks are ours.
class Pams {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "pams",
      .description =
          "one queue a device class: accelerators take their highest speedup, CPU what accelerators gain least",
      .uses_estimates = true};

  explicit Pams(PolicyEnvironment environment) : environment_(environment), views_(environment) {}

  void push(TaskRecord& task) {
    const GroupKinds kinds = environment_.eligibility.kinds(task.group);
    views_.insert(task, [&](ClassId id) -> std::optional<double> {
      if (kinds != GroupKinds::both) return std::numeric_limits<double>::infinity();
      if (environment_.machine.classes()[id].kind == DeviceKind::accelerator) return task.speedups.of(id);
      const auto gain = gain_of(task, environment_);
      return gain ? std::optional<double>(-*gain) : std::nullopt;
    });
  }

  TaskRecord* pop(WorkerId worker) { return views_.take(worker); }
  std::size_t size() const { return views_.size(); }

 private:
  PolicyEnvironment environment_;
  ClassViews views_;
};

static_assert(Policy<Pams>);

}  // namespace starpath
