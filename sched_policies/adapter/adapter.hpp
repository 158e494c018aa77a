// From a policy to a starpu_sched_policy: the one place where the two meet.
#pragma once
#include <starpu.h>
#include <starpu_scheduler.h>

#include <array>
#include <exception>
#include <string_view>

#include "sched_policies/adapter/scheduling_context.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/type_list.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath {

inline SchedulingContext& context_of(unsigned id) {
  return *static_cast<SchedulingContext*>(starpu_sched_ctx_get_policy_data(id));
}

/// Whether copies start early by a decision of ours. Else StarPU starts those of each ready task that one memory alone
/// can run.
template <Policy P>
bool starts_copies(const Options& options) {
  if constexpr (PlanningPolicy<P>) return P::kInfo.fetches && options.estimator != EstimatorKind::none;
  return P::kInfo.requests_ahead || options.prefetch.on();
}

/// Ends the program, because a policy threw: one line names it. StarPU, which is C, could not pass an exception on.
[[noreturn]] void end_after_throw(std::string_view policy, const char* what);

/// Calls `function`, and ends the program with the name of the policy P when it throws.
template <Policy P, class Function>
decltype(auto) guarded(Function&& function) noexcept {
  try {
    return function();
  } catch (const std::exception& error) {
    end_after_throw(P::kInfo.name, error.what());
  } catch (...) {
    end_after_throw(P::kInfo.name, "an object that is no std::exception");
  }
}

/// The functions StarPU calls, all of them but init_sched the same for every policy. `P::kInfo.name` and
/// `.description` are string literals, so they end in a zero as StarPU needs.
template <Policy P>
starpu_sched_policy describe(const Options& options) {
  starpu_sched_policy policy{};
  policy.init_sched = [](unsigned id) {
    starpu_sched_ctx_set_policy_data(id, new SchedulingContext(id, P::kInfo, make_policy_queue<P>));
  };
  policy.deinit_sched = [](unsigned id) {
    delete &context_of(id);
    starpu_sched_ctx_set_policy_data(id, nullptr);
  };
  policy.push_task = [](starpu_task* task) {
    return guarded<P>([&] { return context_of(task->sched_ctx).push(*task); });
  };
  policy.push_task_notify = [](starpu_task* task, int worker, int, unsigned id) {
    guarded<P>([&] { context_of(id).push_notify(*task, worker); });
  };
  policy.pop_task = [](unsigned id) { return guarded<P>([&] { return context_of(id).pop(); }); };
  policy.pre_exec_hook = [](starpu_task* task, unsigned id) { guarded<P>([&] { context_of(id).pre_exec(*task); }); };
  policy.post_exec_hook = [](starpu_task* task, unsigned id) { guarded<P>([&] { context_of(id).post_exec(*task); }); };
  policy.add_workers = [](unsigned id, int* workers, unsigned count) {
    guarded<P>([&] { context_of(id).add_workers(workers, count); });
  };
  if constexpr (PlanningPolicy<P> && P::kInfo.ranks) {  // for the task graph
    policy.submit_hook = [](starpu_task* task) { guarded<P>([&] { context_of(task->sched_ctx).submitted(*task); }); };
  }
  policy.policy_name = P::kInfo.name.data();
  policy.policy_description = P::kInfo.description.data();
  policy.prefetches = starts_copies<P>(options) ? 1 : 0;
  policy.worker_type = STARPU_WORKER_LIST;
  return policy;
}

template <class... Policies>
auto describe_all(TypeList<Policies...>, const Options& options) {
  return std::array{describe<Policies>(options)...};
}

}  // namespace starpath
