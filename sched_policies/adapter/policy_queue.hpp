// A policy behind one virtual interface: everything else of the adapter is compiled once for all policies.
#pragma once
#include <memory>

#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath {

class PlanningQueue;

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
  virtual PlanningQueue* planning() { return nullptr; }

  const Machine& machine() const { return machine_; }
  EligibilityTable& eligibility() { return eligibility_; }

 private:
  const Machine& machine_;
  EligibilityTable eligibility_;
};

/// What a planning policy has beside; see PlanningPolicy.
class PlanningQueue {
 public:
  virtual ~PlanningQueue() = default;
  virtual void submitted(GroupId group, const ClassSeconds& seconds) = 0;
  virtual void push(TaskRecord& task, const TaskCosts& costs, double now) = 0;
  virtual Decision pop(WorkerId worker, double now) = 0;
  virtual TaskRecord* another(WorkerId worker, double now) = 0;
  virtual Fetch fetch() = 0;
  virtual void hold(TaskRecord& task) = 0;
  virtual void took(WorkerId worker, const void* owner, double now) = 0;
  virtual void bound(WorkerId worker, const void* owner, double seconds, double now) = 0;
  virtual void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) = 0;
  virtual void set_present(WorkerId worker, bool present) = 0;
  virtual void set_tail(TaskRecord& task, double tail, double now) = 0;
  virtual void set_outstanding(const Outstanding& outstanding) = 0;
};

template <Policy P>
class PolicyQueueOf final : public PolicyQueue {
 public:
  explicit PolicyQueueOf(const Machine& machine) : PolicyQueue(machine), policy_({machine, eligibility()}) {}
  void push(TaskRecord& task) override { policy_.push(task); }
  TaskRecord* pop(WorkerId worker) override { return policy_.pop(worker); }

 private:
  P policy_;
};

template <PlanningPolicy P>
class PlanningQueueOf final : public PolicyQueue, public PlanningQueue {
 public:
  explicit PlanningQueueOf(const Machine& machine) : PolicyQueue(machine), policy_({machine, eligibility()}) {}
  PlanningQueue* planning() override { return this; }
  void submitted(GroupId group, const ClassSeconds& seconds) override { policy_.submitted(group, seconds); }
  void push(TaskRecord& task) override { policy_.push(task); }
  TaskRecord* pop(WorkerId worker) override { return policy_.pop(worker); }
  void push(TaskRecord& task, const TaskCosts& costs, double now) override { policy_.push(task, costs, now); }
  Decision pop(WorkerId worker, double now) override { return policy_.pop(worker, now); }
  TaskRecord* another(WorkerId worker, double now) override { return policy_.another(worker, now); }
  Fetch fetch() override { return policy_.fetch(); }
  void hold(TaskRecord& task) override { policy_.hold(task); }
  void took(WorkerId worker, const void* owner, double now) override { policy_.took(worker, owner, now); }
  void bound(WorkerId worker, const void* owner, double seconds, double now) override {
    policy_.bound(worker, owner, seconds, now);
  }
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) override {
    policy_.finished(worker, owner, now, ran);
  }
  void set_present(WorkerId worker, bool present) override { policy_.set_present(worker, present); }
  void set_tail(TaskRecord& task, double tail, double now) override { policy_.set_tail(task, tail, now); }
  void set_outstanding(const Outstanding& outstanding) override { policy_.set_outstanding(outstanding); }

 private:
  P policy_;
};

template <Policy P>
std::unique_ptr<PolicyQueue> make_policy_queue(const Machine& machine) {
  if constexpr (PlanningPolicy<P>) return std::make_unique<PlanningQueueOf<P>>(machine);
  return std::make_unique<PolicyQueueOf<P>>(machine);
}

}  // namespace starpath
