// Apex, a policy that plans: prices of device classes say where a task belongs; while a chain is long, finish times do.
#pragma once
#include <cstddef>
#include <optional>

#include "sched_policies/apex/by_finish.hpp"
#include "sched_policies/apex/choice.hpp"
#include "sched_policies/apex/situation.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath {

/// The rules in order, with their reasons and constants: docs/policies/apex.md. In short:
///   - While all chains of tasks are short and prices are known, choose_by_price decides; else ByFinish.
///   - A worker may be refused although a task is queued that it can run. Refusals and `kPatience` bound how long.
///   - A worker without a task takes one that another worker reserved, if it would finish that sooner.
///   - A task whose run time is not known for every class that may run it waits in a separate queue (the higher
///     priority first, then the older). The first task of that queue goes before the task that a rule chose if its
///     priority is higher, or equal and it is older.
///   - `another` returns a task of the same bucket and no higher upward rank while the worker holds little work.
///   - `reserve` keeps at most one task for a worker, and only one that must be copied there. While a chain is long, a
///     critical task of a higher upward rank that costs least there goes before the reserved one.
/// Costs are those of when the task was queued, corrected by EstimateErrors.
class Apex {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "apex",
      .description =
          "where a task belongs by prices of device classes, if it is done in time; reserves what has to be copied",
      .uses_estimates = true,
      .uses_codelets = true};

  explicit Apex(PolicyEnvironment environment);

  void push(TaskRecord& task);
  TaskRecord* pop(WorkerId worker);
  std::size_t size() const { return situation_.queued.size() + unknown_.size() + reserved_; }

  void submitted(GroupId group, const ClassSeconds& seconds);
  void push(TaskRecord& task, const TaskCosts& costs);
  Decision pop(WorkerId worker, double now);
  TaskRecord* another(WorkerId worker, double now);
  TaskRecord* reserve(WorkerId worker, double now);
  void hold(WorkerId worker, TaskRecord& task);
  void forget(WorkerId worker, TaskRecord& task);
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran);
  void set_present(WorkerId worker, bool present);
  void set_tail(TaskRecord& task, double tail);
  void set_outstanding(const Outstanding& outstanding) { situation_.outstanding = outstanding; }

 private:
  struct UnknownLevel {
    int priority;
    bool operator<(const UnknownLevel& other) const { return priority > other.priority; }
  };

  /// Of a record that has a node.
  static CostedTask& costed(const TaskRecord& task) { return static_cast<CostedTask&>(*task.node); }
  bool seconds_known(GroupId group, const ClassSeconds& seconds) const;
  CostedTask& make_costed(TaskRecord& task, const TaskCosts& costs);
  void insert(CostedTask& task);
  Choice choose(WorkerId worker, double now, bool any);
  TaskRecord* unknown_before(WorkerId worker, const CostedTask* known);
  TaskRecord* release(CostedTask& task);
  TaskRecord* hand_out(CostedTask& task, WorkerId worker, double now);
  TaskRecord* take_reserved(WorkerId worker, double now);
  CostedTask* overtaking(WorkerId worker, double now);
  CostedTask* steal(WorkerId worker, double now);
  Decision refuse(WorkerId worker, const Choice& choice, double now);

  Situation situation_;
  ByFinish by_finish_;
  SlabPool<CostedTask> tasks_;
  GroupedQueue<UnknownLevel> unknown_;  // tasks whose run times are not known
  std::size_t reserved_ = 0;            // tasks in situation_.reserved
  std::uint32_t last_bucket_ = 0;       // of the task that the last pop handed out
  double last_upward_rank_ = -1;        // of that task; below 0: `another` returns none
};

static_assert(PlanningPolicy<Apex>);

}  // namespace starpath
