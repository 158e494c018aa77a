// Apex, a policy that plans: each queued task has a place, and whoever would finish it sooner takes it.
#pragma once
#include <cstddef>
#include <optional>

#include "sched_policies/apex/costed_tasks.hpp"
#include "sched_policies/apex/forecast.hpp"
#include "sched_policies/apex/plan.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/planning/unplanned_tasks.hpp"

namespace starpath {

/// The rules, with their reasons: docs/policies/apex.md. In short:
///   - A task is planned where Plan says when it is queued, and again when the work that waits for it changes.
///   - A worker takes the most urgent task that is planned at its place.
///   - Without one it takes a task that is planned elsewhere and that it would finish sooner.
///   - Where nothing else is planned, the next one that a busy worker would so take is planned for it, to be copied.
///   - The copies of a task start when it is planned, while there is room in the memory.
///   - A task whose run time is not known for every class that may run it waits in a separate queue (the higher
///     priority first, then the older). The first task of that queue goes before a planned one if its priority is
///     higher, or equal and it is older.
class Apex {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "apex",
      .description =
          "what is planned for it: where a task ends soonest without a class that is too dear for it; or what it would "
          "finish sooner than others",
      .uses_estimates = true,
      .uses_codelets = true,
      .fetches = true,
      .ranks = true};

  explicit Apex(PolicyEnvironment environment);

  void push(TaskRecord& task) {
    task.brief = false;
    unplanned_.insert(task);
  }
  TaskRecord* pop(WorkerId worker) { return unplanned_.take_before(worker, nullptr); }
  std::size_t size() const { return plan_.size() + unplanned_.size() + fetching_; }

  void submitted(GroupId group, const ClassSeconds& seconds);
  void push(TaskRecord& task, const TaskCosts& costs, double now);
  Decision pop(WorkerId worker, double now);
  TaskRecord* another(WorkerId worker, double now);
  Fetch fetch();
  void hold(TaskRecord& task);
  void took(WorkerId worker, const void* owner, double now);
  void bound(WorkerId worker, const void* owner, double seconds, double now) {
    forecast_.times.took(worker, {.task = owner, .seconds = seconds}, now);
  }
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran);
  void set_present(WorkerId worker, bool present);
  void set_tail(TaskRecord& task, double tail, double now);
  void set_outstanding(const Outstanding& outstanding) { plan_.outstanding = outstanding; }

 private:
  bool brief(GroupId group, const TaskCosts& costs) const;
  TaskRecord* hand_out(CostedTask& task, WorkerId worker, double now);
  TaskRecord* take_unplanned(WorkerId worker, const TaskRecord* planned, double now);
  TaskRecord* another_brief(WorkerId worker, double now);
  Decision refuse(WorkerId worker, double until, double now);

  Forecast forecast_;
  Plan plan_;
  CostedTasks tasks_;
  UnplannedTasks unplanned_;
  double now_ = 0;             // of the last call that told the time
  std::size_t fetching_ = 0;   // tasks that `fetch` gave and `hold` did not get yet
  bool planned_last_ = false;  // the last pop handed out a planned task
  bool brief_last_ = false;    // one that no plan is made for
};

static_assert(PlanningPolicy<Apex>);

}  // namespace starpath
