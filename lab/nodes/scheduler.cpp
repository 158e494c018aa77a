// Policies by name.
#include "lab/nodes/scheduler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/policies/policy_list.hpp"

namespace starpath::lab {
namespace {

template <Policy P>
class Scheduler : public NodeScheduler {
 public:
  explicit Scheduler(PolicyEnvironment environment) : policy_(environment) {}
  void push(TaskRecord& task, const std::vector<double>&, double) override { policy_.push(task); }
  TaskRecord* pop(WorkerId worker, double) override { return policy_.pop(worker); }
  void finished(WorkerId, const TaskRecord&, double) override {}
  bool uses_estimates() const override { return P::kInfo.uses_estimates; }
  bool plans() const override { return false; }

 private:
  P policy_;
};

/// A policy that plans by run times alone.
template <PlanningPolicy P>
class TimedScheduler : public NodeScheduler {
 public:
  explicit TimedScheduler(PolicyEnvironment environment) : policy_(environment) {}
  void push(TaskRecord& task, const std::vector<double>& seconds, double now) override {
    TaskCosts costs;
    for (std::size_t id = 0; id < seconds.size(); ++id)
      if (std::isfinite(seconds[id])) costs.seconds[id] = seconds[id];
    policy_.push(task, costs, now);
  }
  TaskRecord* pop(WorkerId worker, double now) override { return policy_.pop(worker, now).task; }
  void finished(WorkerId worker, const TaskRecord& task, double now) override {
    policy_.finished(worker, task.owner, now, std::nullopt);
  }
  bool uses_estimates() const override { return true; }
  bool plans() const override { return true; }

 private:
  P policy_;
};

/// Policies that plan with more than run times.
template <class P>
constexpr bool kPlansWithMore = PlanningPolicy<P> && !std::is_same_v<P, Eft>;

template <class P>
std::unique_ptr<NodeScheduler> make(PolicyEnvironment environment) {
  if constexpr (kPlansWithMore<P>)
    return nullptr;
  else if constexpr (PlanningPolicy<P>)
    return std::make_unique<TimedScheduler<P>>(environment);
  else
    return std::make_unique<Scheduler<P>>(environment);
}

template <class... Policies>
std::unique_ptr<NodeScheduler> find(const std::string& name, PolicyEnvironment environment, TypeList<Policies...>) {
  std::unique_ptr<NodeScheduler> found;
  ((Policies::kInfo.name == name ? void(found = make<Policies>(environment)) : void()), ...);
  return found;
}

/// The names of the policies that nodes run, or of the policies that they do not run.
template <class... Policies>
std::vector<std::string> names(TypeList<Policies...>, bool run) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view name, bool runs) {
    if (runs == run) all.emplace_back(name);
  };
  (add(Policies::kInfo.name, !kPlansWithMore<Policies>), ...);
  return all;
}

}  // namespace

std::vector<std::string> node_policies() { return names(PolicyList{}, true); }

std::unique_ptr<NodeScheduler> make_scheduler(const std::string& policy, const Machine& machine,
                                              const EligibilityTable& eligibility) {
  if (auto found = find(policy, {machine, eligibility}, PolicyList{})) return found;
  const std::string known = fmt::format("inside a node there are {}", fmt::join(node_policies(), ", "));
  if (std::ranges::count(names(PolicyList{}, false), policy) > 0)
    throw Error(ErrorKind::usage,
                fmt::format("policy '{}' plans with StarPU's times and copies, which simulated events do not have: use "
                            "--engine smpi for it; {}",
                            policy, known));
  if (policy == "heft")
    throw Error(ErrorKind::usage, "policy 'heft': the papers' HEFT is eft; StarPU's is dmda, with --engine smpi");
  throw Error(ErrorKind::usage, fmt::format("policy '{}': {}", policy, known));
}

}  // namespace starpath::lab
