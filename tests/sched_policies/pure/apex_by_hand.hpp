// What tests of apex by hand share: a small machine, tasks with costs, who is given what.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sched_policies/apex/apex.hpp"
#include "support/random_dag.hpp"

namespace starpath {

inline constexpr WorkerId kCpu = 0, kGpu = 1, kOtherGpu = 2;

/// One CPU worker and two GPUs of one model, each with a memory of its own.
class ApexTest : public testing::Test {
 protected:
  explicit ApexTest(Machine machine = des::machine(1, {2}))
      : machine_(std::move(machine)), eligibility_(machine_), policy_({machine_, eligibility_}) {
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) policy_.set_present(worker, true);
  }

  struct Task {
    double cpu = 1, gpu = 1, slow = 1;    ///< the last: on a second class of GPUs
    std::vector<double> copies = {};      ///< to main memory, to each GPU
    std::vector<double> allocation = {};  ///< TaskCosts::allocation, likewise
    double back = 0;                      ///< TaskCosts::back
    double fills = 0;                     ///< of a device memory
    double tail = 0;
    std::size_t position = 0;  ///< TaskCosts::position
    int priority = 0;
    bool known = true;
    std::vector<WorkerId> workers = {kCpu, kGpu, kOtherGpu};
  };
  void push(const std::string& name, const Task& what) {
    Named& task = tasks_.emplace_back();
    task.name = name;
    task.owner = &task;
    task.sequence = tasks_.size();
    task.priority = what.priority;
    WorkerSet all;
    for (const WorkerId worker : what.workers) all.insert(worker);
    task.group = eligibility_.intern(all);
    TaskCosts costs;
    costs.tail = what.tail;
    costs.position = what.position;
    if (what.known) costs.seconds = {what.cpu, what.gpu, what.slow};
    std::ranges::copy(what.copies, costs.copies.begin());
    std::ranges::copy(what.allocation, costs.allocation.begin());
    costs.fills = what.fills;
    costs.back = what.back;
    policy_.push(task, costs, now_);
  }
  std::string name_of(const TaskRecord* task) { return task != nullptr ? static_cast<const Named*>(task)->name : ""; }
  std::string pop(WorkerId worker) { return name_of(policy_.pop(worker, now_).task); }
  /// What should be copied now, and for whom; it is held until `hold`.
  std::string fetch() {
    const Fetch next = policy_.fetch();
    fetched_ = next.task;
    return next.task == nullptr ? "" : name_of(next.task) + " to " + std::to_string(next.worker);
  }
  void hold() { policy_.hold(*fetched_); }
  /// `ran`: seconds, where that was measured.
  void finish(WorkerId worker, const std::string& name, std::optional<double> ran = std::nullopt) {
    for (Named& task : tasks_) {
      if (task.name == name) policy_.finished(worker, &task, now_, ran);
    }
  }

  struct Named : TaskRecord {
    std::string name;
  };
  Machine machine_;
  EligibilityTable eligibility_;
  Apex policy_;
  std::deque<Named> tasks_;
  TaskRecord* fetched_ = nullptr;
  double now_ = 0;
};

/// Prices by which ten times as fast is too little for an accelerator, and a core costs a fifteenth of one or so.
class ApexWithPrices : public ApexTest {
 protected:
  ApexWithPrices() {
    const GroupId group = eligibility_.intern(all_);
    for (int i = 0; i < 100; ++i) {
      policy_.submitted(group, {3.0, 0.1, 0.1});
      policy_.submitted(group, {3.0, 0.3, 0.3});
    }
    policy_.set_outstanding({.seconds = 1000});
  }
  WorkerSet all_ = [] {
    WorkerSet all;
    for (const WorkerId worker : {kCpu, kGpu, kOtherGpu}) all.insert(worker);
    return all;
  }();
};

}  // namespace starpath
