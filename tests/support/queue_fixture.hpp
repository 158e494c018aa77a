// A policy with one CPU worker (0) and one accelerator worker (1), to push hand-made tasks into.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "sched_policies/core/policy.hpp"
#include "tests/support/des.hpp"

namespace starpath {

enum class Runs { cpu, gpu, both };

template <Policy P>
class QueueFixture {
 public:
  static constexpr WorkerId kCpu = 0;
  static constexpr WorkerId kGpu = 1;

  QueueFixture() : machine_(des::machine(1, {1})), eligibility_(machine_), policy_({machine_, eligibility_}) {}

  void push(const std::string& name, std::optional<double> speedup, int priority = 0, Runs runs = Runs::both) {
    Named& task = tasks_.emplace_back();
    task.name = name;
    task.sequence = tasks_.size();
    task.priority = priority;
    WorkerSet workers;
    if (runs != Runs::gpu) workers.insert(kCpu);
    if (runs != Runs::cpu) workers.insert(kGpu);
    task.group = eligibility_.intern(workers);
    if (speedup) {
      task.speedups.set(0, 1);
      task.speedups.set(1, *speedup);
    }
    policy_.push(task);
  }

  /// The name of the task handed out, "" for none.
  std::string pop(WorkerId worker) {
    TaskRecord* const task = policy_.pop(worker);
    return task != nullptr ? static_cast<Named*>(task)->name : "";
  }

  /// Everything `worker` gets, in order.
  std::string drain(WorkerId worker) {
    std::string order;
    for (std::string name = pop(worker); !name.empty(); name = pop(worker)) order += name;
    return order;
  }

 private:
  struct Named : TaskRecord {
    std::string name;
  };
  Machine machine_;
  EligibilityTable eligibility_;
  P policy_;
  std::deque<Named> tasks_;
};

}  // namespace starpath
