// One scheduling context under one policy: the functions that StarPU calls.
#pragma once
#include <starpu.h>
#include <starpu_scheduler.h>

#include <atomic>
#include <memory>
#include <optional>

#include "sched_policies/adapter/context_facts.hpp"
#include "sched_policies/adapter/policy_queue.hpp"
#include "sched_policies/adapter/shared_state.hpp"
#include "sched_policies/adapter/strategy.hpp"
#include "sched_policies/adapter/waiters.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// The methods are those of starpu_sched_policy, with StarPU's rules on who calls them when. StarPU makes contexts
/// before workers have started, so the strategy is chosen when it is first needed.
class SchedulingContext {
 public:
  using MakeQueue = std::unique_ptr<PolicyQueue> (*)(const Machine&);

  SchedulingContext(unsigned id, const PolicyInfo& info, MakeQueue make_queue);
  SchedulingContext(const SchedulingContext&) = delete;
  SchedulingContext& operator=(const SchedulingContext&) = delete;

  int push(starpu_task& task);
  starpu_task* pop();
  void add_workers(const int* workers, unsigned count);
  void push_notify(starpu_task& task, int worker);
  void submitted(starpu_task& task);
  void pre_exec(starpu_task& task);
  void post_exec(starpu_task& task);

 private:
  /// What needs workers that have started.
  struct Ready {
    explicit Ready(SchedulingContext& context);
    Ready(SchedulingContext& context, std::unique_ptr<PolicyQueue> queue);
    SharedState::Ready& shared;
    Estimates estimates;
    ExecutionWatch executions;
    const ContextFacts facts;
    const std::unique_ptr<Strategy> strategy;
    const bool teaches;          // whether the context's tasks are learnt from
    const bool teaches_choices;  // whether those are that have several implementations

    bool learns_from(const starpu_task& task, WorkerId worker) const;
  };
  Ready& ready();
  void notice_removed_workers();
  static void end_unreported(Ready& ready, const ExecutionWatch::UnreportedEnd& end);

  const unsigned id_;
  const PolicyInfo& info_;
  const MakeQueue make_queue_;
  const std::shared_ptr<SharedState> shared_;
  const bool observed_;                     // whether the user asked for statistics or a trace
  const bool taught_;                       // whether tasks may be learnt from, as far as the options say
  std::atomic<unsigned> workers_seen_ = 0;  // size of the context when last looked at
  std::atomic<Ready*> ready_ = nullptr;     // `made_`, once it is made
  alignas(64) Waiters waiters_;             // written often
  StarpuMutex mutex_;
  std::optional<Ready> made_ STARPATH_GUARDED_BY(mutex_);
};

}  // namespace starpath
