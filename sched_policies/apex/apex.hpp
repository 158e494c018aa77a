// Apex, a policy that plans: each queued task has a place, and a worker that would finish it sooner takes it.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sched_policies/apex/plan.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/planning/unplanned_tasks.hpp"

namespace starpath {

/// Decides which tasks are planned, and whether a worker gets a planned task or another one. The rules, with their
/// reasons and an example: docs/policies/apex.md. In short:
///   - A task is planned at a place when it is queued, and again when the work that waits for it changes (Plan).
///   - A worker takes the most urgent task that is planned at its place. Without one it takes a task that is planned
///     elsewhere and that it would finish sooner.
///   - A task whose run time is not known on every class that may run it, and one that is too short to plan, wait in a
///     separate queue (the higher priority first, then the older). The first task of that queue goes before a planned
///     one if its priority is higher, or if it is equal and the task is older.
///   - A worker that gets nothing is told when to ask again, and which idle worker should ask instead.
class Apex final : public Planner {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "apex",
      .description =
          "what is planned for it: where a task ends soonest without a class that is too dear for it; or what it would "
          "finish sooner than others",
      .uses_estimates = true,
      .uses_codelets = true,
      .fetches = true,
      .ranks = true,
      .asks_models = true};

  explicit Apex(PolicyEnvironment environment)
      : environment_(environment), plan_(environment), unplanned_(environment) {}

  void push(TaskRecord& task) {
    task.brief = false;
    unplanned_.insert(task);
  }
  TaskRecord* pop(WorkerId worker) { return unplanned_.take_before(worker, nullptr); }
  std::size_t size() const { return plan_.size() + unplanned_.size(); }

  void set_presence(const DataPresence& presence) override { plan_.set_presence(presence); }
  void submitted(GroupId group, const ClassSeconds& seconds) override;
  void push(TaskRecord& task, const TaskCosts& costs, double now) override;
  Decision pop(WorkerId worker, double now) override;
  TaskRecord* another(WorkerId worker, double now) override;
  Fetch fetch() override { return plan_.fetch(now_); }
  void hold(TaskRecord& task) override { plan_.hold(task); }
  void took(WorkerId worker, const void* owner, double now) override;
  void bound(WorkerId worker, const void* owner, double seconds, double now) override {
    plan_.occupy(worker, owner, seconds, now);
  }
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) override {
    plan_.finished(worker, owner, now, ran);
  }
  std::vector<TaskRecord*> withdraw(CodeletId codelet) override;
  void replan(double now) override { plan_.renew(now, true, true); }
  void set_present(WorkerId worker, bool present) override { plan_.set_present(worker, present, now_); }
  void set_tail(TaskRecord& task, double tail, double now) override {
    if (task.has_node) plan_.set_tail(task, tail, now);
  }
  void set_outstanding(const Outstanding& outstanding) override { plan_.set_outstanding(outstanding); }

 private:
  bool brief(GroupId group, const TaskCosts& costs) const;
  TaskRecord* take_unplanned(WorkerId worker, const TaskRecord* planned, double now);
  TaskRecord* another_brief(WorkerId worker, double now);
  Decision refuse(WorkerId worker, double until, double now);

  const PolicyEnvironment environment_;
  Plan plan_;
  UnplannedTasks unplanned_;
  double now_ = 0;             // of the last call that told the time
  bool planned_last_ = false;  // the last pop handed out a planned task
  bool brief_last_ = false;    // the last task taken from `unplanned_` was one that is too short to plan
};

static_assert(PlanningPolicy<Apex>);

}  // namespace starpath
