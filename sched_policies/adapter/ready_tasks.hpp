// The ready tasks of a context, as far as all strategies treat them alike.
#pragma once
#include <starpu.h>

#include <atomic>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "sched_policies/adapter/clock.hpp"
#include "sched_policies/adapter/codelet_table.hpp"
#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/adapter/queued_task.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/exploration.hpp"
#include "sched_policies/core/parked_tasks.hpp"
#include "sched_policies/planning/task_costs.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// Knows which workers may run which task, how many tasks wait, and which workers to tell of them. Invariants:
///   1. A worker sets its own flag in `waiters` when it finds nothing. A thread that has a task for it clears the flag,
///      and so does the worker when a task of its own begins or ends. A set flag means that the worker was told of no
///      task since. Where workers poll, a worker that finds the queue empty sets no flag: it sees at less cost that the
///      queue is filled.
///   2. Whenever a task is queued that a waiting worker may run, another worker that was woken earlier is on the way to
///      the queue. After taking a task that one wakes the next. So no worker sleeps beside a task that it could run. A
///      worker that gets a task past the policy meanwhile does not come: then another one is told.
class ReadyTasks {
 public:
  ReadyTasks(const ContextFacts& context, EligibilityTable& eligibility);

  /// The facts about a task that take no lock.
  struct Look {
    Look() = default;
    explicit Look(const TaskEstimates& of_it) : estimates(of_it) {}  // as an aggregate it would be cleared first

    TaskEstimates estimates;
    std::uint64_t first_samples = 0;  ///< when the estimates were made: see Estimates
    double queued_at = 0;
    std::optional<WorkerSet> able = {};  ///< who may run it, where that took asking
    unsigned types = 0;                  ///< else the worker types that may, a bit each
  };
  Look look_at(starpu_task& task) const;
  std::optional<WorkerSet> ask_who_may(starpu_task& task) const;
  unsigned types_for(const starpu_task& task) const;
  /// Whether `worker` can run `task` now; if so, gives it the first implementation that can.
  bool prepare(starpu_task& task, WorkerId worker) const;
  /// The record of the first task from `take` that `worker` can run, or nullptr when `take` has none; `refuse` gets
  /// those before it. What StarPU says of a task may have changed since it was queued, so it is asked once more unless
  /// `take` says that it was (`prepared`). That is a look at cold memory: do it without the lock.
  template <class Take, class Refuse>
  auto next_runnable(WorkerId worker, Take take, Refuse refuse) const;
  /// What StarPU gets: the task with the implementation that is estimated to be the fastest, or one to be tried; or
  /// nullptr if the task went to the context that `worker` leads. Once for each task, without the lock.
  starpu_task* hand_over(starpu_task& task, WorkerId worker) const;
  /// What `worker` got from here has ended. By its thread.
  void looked(WorkerId worker) {
    if (!looked_.empty() && !looked_[worker].since.load(std::memory_order_relaxed)) looked_[worker].since.store(true);
  }
  /// Whether anything is queued, by the thread of `worker`. If not it waits to be told, where workers sleep.
  bool any(WorkerId worker);

  /// Whether `worker` found nothing lately and waits to be told of a task. While tasks are kept it looks again at
  /// times.
  bool waits(WorkerId worker) const;

  /// For a Turn: the context's lock.
  StarpuMutex& mutex() { return mutex_; }

  GroupId group_of(unsigned types) STARPATH_REQUIRES(context_lock);
  void fill(QueuedTask& record, starpu_task& task, const Look& look) STARPATH_REQUIRES(context_lock);
  /// Gives a record that arrives its codelet and its place in the order; `costs`, if any: as its speedups.
  void number(QueuedTask& record, std::string_view codelet, TaskCosts* costs) STARPATH_REQUIRES(context_lock);
  void number_again(QueuedTask& record) STARPATH_REQUIRES(context_lock) { record.sequence = next_sequence_++; }
  /// Counts the task as queued for the workers that may run it: `able`, or all workers of `types` if `able` is null.
  /// Returns false if there is none; the task is then parked here.
  bool admit(QueuedTask& record, const WorkerSet* able, unsigned types) STARPATH_REQUIRES(context_lock);
  void count(const QueuedTask& record) STARPATH_REQUIRES(context_lock);
  void count_out(const QueuedTask& record) STARPATH_REQUIRES(context_lock) { --queued_in_group_[record.group]; }
  /// Keeps a task that its worker cannot run after all, for a worker that can.
  void park(QueuedTask& record) STARPATH_REQUIRES(context_lock) { parked_.park(record); }
  /// A parked task that `worker` can run by now, or nullptr.
  QueuedTask* take_parked(WorkerId worker) STARPATH_REQUIRES(context_lock);
  /// Whether a worker that found nothing may wait to be told of a task. Nobody tells that a parked task can be run.
  bool may_wait() const STARPATH_REQUIRES(context_lock) { return kWorkersSleep || parked_.empty(); }
  /// What is known and guessed of the run time of a task that was admitted here, on classes that are to be explored
  /// with it, if there are any. What was known of it is as in TaskEstimates.
  Exploration::Outlook look(const QueuedTask& record, const ClassSeconds& seconds, const ClassSet& never_known) const
      STARPATH_REQUIRES(context_lock);
  /// Keeps the task here until its run time is known (Exploration). It was looked at when there were `first_samples`.
  void keep(QueuedTask& record, const Exploration::Outlook& outlook, std::uint64_t first_samples)
      STARPATH_REQUIRES(context_lock);
  /// The same, if a class is to be explored with the task. Else it is the policy's.
  bool keeps(QueuedTask& record, const ClassSeconds& seconds, const ClassSet& never_known, std::uint64_t first_samples)
      STARPATH_REQUIRES(context_lock);
  /// The task goes to a policy that plans with guesses. While a core tries its codelet, cores of that class may not run
  /// the task, if others may.
  void guessed(QueuedTask& record, const Exploration::Outlook& outlook, std::uint64_t first_samples)
      STARPATH_REQUIRES(context_lock);
  /// The policy has the task in its queue again, after its copies were started. Meanwhile workers may have left.
  void held(const QueuedTask& record) STARPATH_REQUIRES(context_lock);
  /// Undoes `guessed`, for a task that the policy gave back.
  void open(QueuedTask& record) STARPATH_REQUIRES(context_lock);
  /// Whether `worker`, which the policy gave the task, tries its codelet with it.
  bool tries(WorkerId worker, const QueuedTask& record) STARPATH_REQUIRES(context_lock) {
    return (record.guessed >> context_.machine.class_of(worker) & 1U) != 0 && exploration_->begin_try(worker, record);
  }
  struct Released {
    std::vector<TaskRecord*> kept;    ///< to be queued as if they had just arrived
    std::vector<CodeletId> codelets;  ///< those that got samples or may be tried again
  };
  /// `worker` asks for a task. Takes out the kept tasks whose codelets are known better by now.
  Released release(WorkerId worker) STARPATH_REQUIRES(context_lock);
  /// Estimates and numbers such a task anew, and keeps it again if it is still to be found out.
  bool look_again(QueuedTask& record) STARPATH_REQUIRES(context_lock);
  /// The task for `worker`: a kept one, which `kept(record)` hears of, or the one that `pop()` returns.
  template <class Record, class Pop, class Kept>
  Record* next(WorkerId worker, Pop pop, Kept kept) STARPATH_REQUIRES(context_lock);
  /// Looks which classes have workers in the context.
  void note_presence() STARPATH_REQUIRES(context_lock);
  /// Chooses a waiting worker, or one of each class, that may run a queued task, and clears its flag. Returns the
  /// workers to wake once the lock is released.
  std::vector<int> choose_wakes(bool one_a_class = false) STARPATH_REQUIRES(context_lock);

  /// Whether a task may wait for a worker that does not come while another one waits to be told. Without the lock.
  bool calls_for_another() const { return queued.load() != 0 && context_.waiters.any(); }
  /// Then tells that one.
  void call_another();

  alignas(64) std::atomic<std::size_t> queued = 0;  ///< how many tasks, parked ones too

 private:
  void choose_implementation(starpu_task& task, WorkerId worker) const;
  void tell_of_parked() STARPATH_REQUIRES(context_lock);
  bool any_for(WorkerId worker) const STARPATH_REQUIRES(context_lock);
  void sampled(std::vector<CodeletId>& codelets) STARPATH_REQUIRES(context_lock);
  bool names_codelets() const STARPATH_REQUIRES(context_lock) { return context_.info.uses_codelets || exploration_; }

  static constexpr double kLookAgain = 1;  // seconds

  /// Whether the last task that a worker got from here is known to have ended.
  struct alignas(64) Looked {
    std::atomic<bool> since = false;
  };

  alignas(64) const ContextFacts& context_;
  std::vector<starpu_worker_archtype> types_;  // that the machine has workers of
  StarpuMutex mutex_;                          // the context's lock
  EligibilityTable& eligibility_ STARPATH_GUARDED_BY(context_lock);
  CodeletTable codelets_ STARPATH_GUARDED_BY(context_lock);
  std::uint64_t next_sequence_ STARPATH_GUARDED_BY(context_lock) = 0;
  std::vector<std::size_t> queued_in_group_ STARPATH_GUARDED_BY(context_lock);
  std::vector<std::optional<GroupId>> group_of_types_ STARPATH_GUARDED_BY(context_lock);
  ParkedTasks parked_ STARPATH_GUARDED_BY(context_lock);
  bool told_of_parked_ STARPATH_GUARDED_BY(context_lock) = false;
  std::optional<Exploration> exploration_ STARPATH_GUARDED_BY(context_lock);  // if there is any
  // When the tasks in `exploration_`, and those with guesses, were looked at; 0: look at all again.
  std::uint64_t first_samples_ STARPATH_GUARDED_BY(context_lock) = 0;
  std::set<CodeletId> closed_ STARPATH_GUARDED_BY(context_lock);  // of tasks that some cores may not run now
  std::atomic<double> look_again_at_ = 0;                         // seconds; 0: nothing is kept
  std::vector<Looked> looked_;                                    // by worker, if anything is to be explored
};

template <class Record, class Pop, class Kept>
Record* ReadyTasks::next(WorkerId worker, Pop pop, Kept kept) {
  if (!exploration_) return pop();
  bool popped = false;
  const double now = exploration_->empty() ? 0 : seconds_now();
  auto* const record = static_cast<Record*>(exploration_->next(worker, now, [&] {
    context_lock.is_held();
    Record* const found = pop();
    popped = found != nullptr;
    return found;
  }));
  const double again = exploration_->empty() ? 0 : now + kLookAgain;
  if (again != look_again_at_.load(std::memory_order_relaxed)) look_again_at_.store(again, std::memory_order_relaxed);
  if (record != nullptr) looked_[worker].since.store(false, std::memory_order_relaxed);
  if (record == nullptr || popped) return record;
  count(*record);
  kept(*record);
  return record;
}

template <class Take, class Refuse>
auto ReadyTasks::next_runnable(WorkerId worker, Take take, Refuse refuse) const {
  while (true) {
    const auto taken = take();
    if (taken.record == nullptr || taken.prepared) return taken.record;
    starpu_sched_task_break(taken.record->task());
    if (prepare(*taken.record->task(), worker)) return taken.record;
    refuse(*taken.record);
  }
}

}  // namespace starpath
