// Policies by name.
#include "lab/cluster/scheduler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/cluster/heft.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/policies/policy_list.hpp"

namespace starpath::lab {
namespace {

template <Policy P>
class Scheduler : public NodeScheduler {
 public:
  explicit Scheduler(PolicyEnvironment environment) : policy_(environment) {}
  void push(TaskRecord& task, const std::vector<double>&, double) override { policy_.push(task); }
  TaskRecord* pop(WorkerId worker) override { return policy_.pop(worker); }

 private:
  P policy_;
};

template <class... Policies>
std::unique_ptr<NodeScheduler> find(const std::string& name, PolicyEnvironment environment, TypeList<Policies...>) {
  std::unique_ptr<NodeScheduler> found;
  const auto try_one = [&]<class P>(TypeList<P>) {
    if constexpr (!PlanningPolicy<P>) {
      if (P::kInfo.name == name) found = std::make_unique<Scheduler<P>>(environment);
    }
  };
  (try_one(TypeList<Policies>{}), ...);
  return found;
}

/// The names of the policies that plan in time, or of those that do not.
template <class... Policies>
std::vector<std::string> names(TypeList<Policies...>, bool planning) {
  std::vector<std::string> all;
  const auto add = [&](std::string_view name, bool plans) {
    if (plans == planning) all.emplace_back(name);
  };
  (add(Policies::kInfo.name, PlanningPolicy<Policies>), ...);
  return all;
}

}  // namespace

std::vector<std::string> node_policies() {
  std::vector<std::string> all = names(PolicyList{}, false);
  all.emplace_back("heft");
  return all;
}

std::unique_ptr<NodeScheduler> make_scheduler(const std::string& policy, const Machine& machine,
                                              const EligibilityTable& eligibility) {
  if (policy == "heft") return std::make_unique<Heft>(machine, eligibility);
  if (auto found = find(policy, {machine, eligibility}, PolicyList{})) return found;
  const std::string known = fmt::format("inside a node there are {}", fmt::join(node_policies(), ", "));
  if (std::ranges::count(names(PolicyList{}, true), policy) > 0)
    throw Error(ErrorKind::usage,
                fmt::format("policy '{}' plans with StarPU's times and copies, which simulated events do not have: use "
                            "--engine smpi for it; {}",
                            policy, known));
  throw Error(ErrorKind::usage, fmt::format("policy '{}': {}", policy, known));
}

}  // namespace starpath::lab
