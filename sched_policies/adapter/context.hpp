// One scheduling context under one policy: the queue, its lock, who waits for tasks and who gets woken.
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "sched_policies/adapter/codelet_table.hpp"
#include "sched_policies/adapter/handful.hpp"
#include "sched_policies/adapter/inbox.hpp"
#include "sched_policies/adapter/look_ahead.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/queued_task.hpp"
#include "sched_policies/adapter/run_watch.hpp"
#include "sched_policies/adapter/shared_state.hpp"
#include "sched_policies/adapter/waiters.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/task_graph.hpp"

namespace starpath {

/// The methods are those of starpu_sched_policy, with StarPU's rules on who calls them when. Invariants:
///   1. A worker's flag in `waiters_` is set by itself alone, when it finds nothing, and cleared by whoever has a task
///      for it, and by itself when a task of its own begins or ends. A set flag means that it was told of no task
///      since. Where workers poll, one that finds the queue empty sets no flag: seeing the queue filled costs less than
///      being told.
///   2. Whenever a task is queued that a waiting worker may run, somebody woken earlier is on the way to the queue, and
///      wakes the next one after taking a task. So no worker sleeps beside a task it could run.
///   3. A queued task is touched under the lock only, but for those that a worker took several of (Handful). One that
///      was taken is its worker's, which asks StarPU about it once more, without the lock: that is a look at cold
///      memory. Once popped it is never touched again.
class Context {
 public:
  using MakeQueue = std::unique_ptr<PolicyQueue> (*)(const Machine&);

  Context(unsigned id, const PolicyInfo& info, MakeQueue make_queue);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  int push(starpu_task& task);
  starpu_task* pop();
  void add_workers(const int* workers, unsigned count);
  void push_notify(int worker);
  void submitted(starpu_task& task);
  void pre_exec(starpu_task& task);
  void post_exec(starpu_task& task);

 private:
  void make_ready();
  unsigned types_of(const starpu_task& task) const;
  GroupId group_of(unsigned types);
  std::optional<WorkerSet> asked(starpu_task& task) const;
  void queue(starpu_task& task);
  void enqueue(QueuedTask& record, const WorkerSet* able, unsigned types, TaskCosts* costs);
  void enter(QueuedTask& record, TaskCosts* costs);
  TaskCosts costs_of(starpu_task& task) const;
  void add_copies(starpu_task& task, TaskCosts& costs) const;
  void distort(QueuedTask& record, TaskCosts* costs) const;
  bool has_work_for(WorkerId worker) const;
  std::vector<int> choose_wakes();
  void notice_removed_workers();
  static void wake(const std::vector<int>& workers);
  struct Taken {
    starpu_task* task = nullptr;
    QueuedTask* unchecked = nullptr;  // its record, when StarPU was not asked about the task since it was queued
  };
  bool may_find(WorkerId worker);
  Taken take(WorkerId worker);
  Taken take_one(WorkerId worker, Decision& decision, std::vector<QueuedTask*>& fresh);
  bool came_meanwhile(WorkerId worker);
  QueuedTask* choose(WorkerId worker, bool& checked, Decision& decision);
  void refuse(QueuedTask& record, WorkerId worker);
  QueuedTask* take_parked(WorkerId worker);
  QueuedTask* take_queued(WorkerId worker);
  void queue_for_others(QueuedTask& record, WorkerId worker);
  QueuedTask* plan(WorkerId worker, Decision& decision);
  std::vector<int> declined(WorkerId worker, const Decision& decision);
  std::vector<QueuedTask*> plan_ahead(WorkerId worker);
  void fill_handful(WorkerId worker);
  QueuedTask* take_from_handful(WorkerId owner, WorkerId worker);
  QueuedTask* take_from_others(WorkerId worker);
  void give_back_handful(WorkerId worker);
  bool handfuls_of_others(WorkerId worker) const;
  static constexpr double kHandfulsLast = 1e-3;  // seconds: what is left then is for whoever has nothing else
  void note_presence();
  void forget(starpu_task& task, WorkerId worker);
  void catch_up();
  void note_submission(const Inbox::Submission& submission);
  void push_planned(starpu_task& task);
  void note_arrival(Inbox::Arrival& arrival);
  template <class Room>
  Room& room(Room* (Inbox::*look)());
  void ended(WorkerId worker, const Inbox::End& end);
  void end_run(WorkerId worker, const Inbox::End& end);
  void ended_elsewhere(starpu_task& task);
  void end_unreported(WorkerId worker, const RunWatch::UnreportedEnd& end);
  void report_run(const Execution& run);
  void note_tails();
  /// In the graph, and which submission it was. StarPU keeps the field for policies; a task that another one put
  /// something there is not known.
  static TaskGraph::Ticket ticket_of(const starpu_task& task) { return ticket_in(task.sched_data); }
  static TaskGraph::Ticket ticket_in(const void* sched_data) {
    return static_cast<TaskGraph::Ticket>(reinterpret_cast<std::uintptr_t>(sched_data));
  }
  static std::uint32_t submission_of(const starpu_task& task) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(task.sched_data) >> 32U);
  }
  static void mark(starpu_task& task, std::uint32_t submission, TaskGraph::Ticket ticket) {
    static_assert(sizeof(void*) == 8);
    task.sched_data = reinterpret_cast<void*>(std::uintptr_t{submission} << 32U | ticket);
  }
  QueuedTask* take_ahead(WorkerId worker);
  QueuedTask* take_reserved(WorkerId worker);
  void hold(QueuedTask& record, WorkerId worker);
  std::vector<QueuedTask*> choose_reservations(WorkerId worker);
  void reserve(WorkerId worker, const std::vector<QueuedTask*>& fresh);
  void give_back_reservations();
  bool prepare(starpu_task& task, WorkerId worker);
  bool moved_to_child(starpu_task& task, WorkerId worker) const;
  void idle(WorkerId worker);
  bool measures(WorkerId worker) const;

  const unsigned id_;
  const PolicyInfo& info_;
  const MakeQueue make_queue_;
  const std::shared_ptr<SharedState> shared_;
  const bool observed_;  // whether the user asked for statistics or a trace
  const bool taught_;    // whether tasks may be learnt from, as far as the options say

  // Set once, before the first task is queued, and read without the lock.
  std::atomic<SharedState::Ready*> ready_ = nullptr;  // when it is, so is the rest
  std::unique_ptr<PolicyQueue> queue_;                // what it points to is the lock's
  PlanningQueue* planning_ = nullptr;                 // the same, if the policy plans
  std::vector<WorkerId> worker_of_memory_;            // one each, if the policy plans
  std::size_t device_memories_ = 0;                   // of them, those of accelerators
  std::vector<starpu_worker_archtype> types_;         // that the machine has workers of
  bool estimates_ = false;                            // whether there are speedups to estimate
  bool teaches_ = false;                              // whether its tasks are learnt from
  bool checks_estimates_ = false;                     // whether the policy hears how long they ran
  std::optional<RunWatch> watch_;                     // when someone wants to know of runs
  std::optional<Inbox> inbox_;                        // if the policy plans; for whoever holds the lock

  /// Where a task is in memory: only to fetch it ahead.
  struct Parts {
    const void* task = nullptr;
    const void* job = nullptr;  // StarPU's part
  };
  /// What a worker alone looks after, without the lock.
  struct alignas(64) Own {
    Handful handful;
    void fetch_task(std::size_t place) const;
    void fetch_job(std::size_t place) const;
    std::array<Parts, Handful::kMost> parts;  // of its tasks
    std::vector<QueuedTask*> handed_out;      // records of its tasks since it had the lock last
    double ask_again = 0;                     // when, seconds, though nobody told it of a task
  };
  std::vector<Own> own_;  // by worker

  StarpuMutex mutex_;  // guards what follows up to queued_
  TaskGraph graph_;    // if the policy plans
  QueuedTaskPool records_;
  CodeletTable codelets_;
  std::uint64_t next_sequence_ = 0;
  std::vector<std::size_t> queued_in_group_;
  std::vector<std::optional<GroupId>> group_of_types_;  // by bit set of worker types
  std::vector<QueuedTask*> parked_;                     // tasks that no worker of the context can run just now
  bool told_of_parked_ = false;
  std::optional<LookAhead> look_ahead_;  // for STARPATH_LOCALITY and STARPATH_PREFETCH; whether it is, is set once

  // Read without the lock, by workers that have nothing else to do: on a line that a push must not share.
  alignas(64) std::atomic<std::size_t> queued_ = 0;  // parked tasks count
  alignas(64) Waiters waiters_;
  std::atomic<unsigned> workers_seen_ = 0;  // size of the context when last looked at
};

}  // namespace starpath
