// The way of tasks through the task graph and a policy that plans.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/copy_costs.hpp"
#include "sched_policies/adapter/device_data.hpp"
#include "sched_policies/adapter/inbox.hpp"
#include "sched_policies/adapter/planned_task.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/ready_tasks.hpp"
#include "sched_policies/adapter/record_pool.hpp"

namespace starpath {

/// Leads tasks through the task graph and a policy that plans: in when they are submitted and when they are ready, to a
/// worker when the policy says so, and out when they end. What comes in and goes out takes no lock of its own: it waits
/// in the inbox until somebody takes the lock, who first takes it in (`catch_up`), in the order in which it was left. A
/// task enters the graph when it is submitted and the policy when it is ready, with what the graph knows of it.
/// ReadyTasks keeps the tasks of a codelet that has run nowhere. The policy plans with guesses where a class is yet to
/// be explored, and plans anew when a codelet gets samples.
class TaskFlow {
 public:
  TaskFlow(const ContextFacts& context, ReadyTasks& tasks, Planner& policy, RecordPool<PlannedTask>& records);

  // Without the lock, by any thread:
  void submitted(starpu_task& task);
  /// A ready task counts as queued from here on, and StarPU knows that it is.
  void arrived(starpu_task& task);
  /// By the thread that drives `worker`, which is not busy with that task any more.
  void ended(WorkerId worker, const Inbox::End& end);
  /// Whether nothing was left that was not taken in.
  bool empty() const { return inbox_.empty(); }
  bool several_memories() const { return copies_.several_memories(); }
  /// Microseconds: CopyCosts::predicted.
  double predicted_copies(starpu_task& task, WorkerId worker) const { return copies_.predicted(task, worker); }

  // With the lock:
  /// Takes in what was left. A turn under the lock begins with this.
  void catch_up() STARPATH_REQUIRES(context_lock);
  /// When the turn is, in seconds: the clock is read once since `catch_up` began, and not at all if nobody asks.
  double now() STARPATH_REQUIRES(context_lock);
  /// The policy's choice for `worker`, or nullptr; `decision`: what the policy said. Before, the policy hears of what
  /// changed in the graph, and of tasks whose run time was found out.
  PlannedTask* next(WorkerId worker, Decision& decision) STARPATH_REQUIRES(context_lock);
  /// After `next`: one more task for `worker` as Planner::another has it, or nullptr. It begins when `begin` says so.
  PlannedTask* another(WorkerId worker) STARPATH_REQUIRES(context_lock);
  /// The task is about to be handed to a worker.
  void begin(const PlannedTask& record) STARPATH_REQUIRES(context_lock) { graph_.begin(record.owner, record.ticket); }
  /// A task that was handed out and did not begin is queued again, as if it had just arrived.
  void enter_again(PlannedTask& record) STARPATH_REQUIRES(context_lock);
  /// A task left this context, and no worker is busy with it.
  void gone(starpu_task& task, double now) STARPATH_REQUIRES(context_lock);

 private:
  template <class Slot>
  Slot& slot(Slot* (Inbox::*look)());
  /// A number that no other submission of any context has; 0 for a task whose submission this context was not told of.
  std::uint64_t unique(std::uint32_t submission) const { return submission == 0 ? 0 : generation_ << 32 | submission; }
  void take_in(const Inbox::Submission& submission) STARPATH_REQUIRES(context_lock);
  void take_in(Inbox::Arrival& arrival) STARPATH_REQUIRES(context_lock);
  void take_in(WorkerId worker, const Inbox::End& end) STARPATH_REQUIRES(context_lock);
  void enter(PlannedTask& record, TaskCosts& costs, const ClassSet& never_known, std::uint64_t first_samples)
      STARPATH_REQUIRES(context_lock);
  void enter_again(PlannedTask& record, const TaskEstimates& estimates, std::uint64_t first_samples)
      STARPATH_REQUIRES(context_lock);
  void renew(WorkerId worker) STARPATH_REQUIRES(context_lock);
  void replan(const std::vector<TaskRecord*>& tasks) STARPATH_REQUIRES(context_lock);
  void weigh(const PlannedTask& record, const ClassSeconds& seconds, bool guessed) STARPATH_REQUIRES(context_lock);

  const std::uint64_t generation_;  // StarPU gives a context the number of one that is gone
  const ContextFacts& context_;
  ReadyTasks& tasks_;
  Planner& policy_ STARPATH_GUARDED_BY(context_lock);
  RecordPool<PlannedTask>& records_;
  const CopyCosts copies_;
  const DeviceData data_;
  TaskGraph graph_ STARPATH_GUARDED_BY(context_lock);
  std::optional<double> now_ STARPATH_GUARDED_BY(context_lock);  // of this turn, once it was asked for
  Inbox inbox_;
};

}  // namespace starpath
