// A policy behind one virtual interface: everything else of the adapter is compiled once for all policies.
#pragma once
#include <memory>

#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath {

/// A policy and its eligibility table. Calls are serialised by the context's lock.
class PolicyQueue {
 public:
  explicit PolicyQueue(const Machine& machine) : machine_(machine), eligibility_(machine) {}
  virtual ~PolicyQueue() = default;
  PolicyQueue(const PolicyQueue&) = delete;
  PolicyQueue& operator=(const PolicyQueue&) = delete;

  virtual void push(TaskRecord& task) = 0;
  virtual TaskRecord* pop(WorkerId worker) = 0;

  /// The same policy as one that plans; nullptr when it does not.
  virtual Planner* planner() = 0;

  const Machine& machine() const { return machine_; }
  EligibilityTable& eligibility() { return eligibility_; }

 private:
  const Machine& machine_;
  EligibilityTable eligibility_;
};

template <Policy P>
class PolicyQueueOf final : public PolicyQueue {
 public:
  explicit PolicyQueueOf(const Machine& machine) : PolicyQueue(machine), policy_({machine, eligibility()}) {}
  void push(TaskRecord& task) override { policy_.push(task); }
  TaskRecord* pop(WorkerId worker) override { return policy_.pop(worker); }
  Planner* planner() override {
    if constexpr (PlanningPolicy<P>) return &policy_;
    return nullptr;
  }

 private:
  P policy_;
};

template <Policy P>
std::unique_ptr<PolicyQueue> make_policy_queue(const Machine& machine) {
  return std::make_unique<PolicyQueueOf<P>>(machine);
}

}  // namespace starpath
