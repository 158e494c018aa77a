// Policies by name.
#include "lab/cluster/scheduler.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "lab/cluster/heft.hpp"
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
    if (P::kInfo.name == name) found = std::make_unique<Scheduler<P>>(environment);
  };
  (try_one(TypeList<Policies>{}), ...);
  return found;
}

template <class... Policies>
std::string names(TypeList<Policies...>) {
  std::string all;
  ((all += fmt::format("{}, ", Policies::kInfo.name)), ...);
  return all;
}

}  // namespace

std::unique_ptr<NodeScheduler> make_scheduler(const std::string& policy, const Machine& machine,
                                              const EligibilityTable& eligibility) {
  if (policy == "heft") return std::make_unique<Heft>(machine, eligibility);
  auto found = find(policy, {machine, eligibility}, PolicyList{});
  if (!found)
    throw Error(ErrorKind::usage,
                fmt::format("policy '{}': inside a node there are {}heft", policy, names(PolicyList{})));
  return found;
}

}  // namespace starpath::lab
