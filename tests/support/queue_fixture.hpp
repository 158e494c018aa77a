// A policy with one CPU worker (0) and one worker of each accelerator class (1, 2, ...), to push hand-made tasks into.
#pragma once
#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "sched_policies/core/policy.hpp"
#include "support/random_dag.hpp"

namespace starpath {

enum class Runs { cpu, gpu, both };

/// A task for QueueFixture::add.
struct HandMade {
  std::vector<std::optional<double>> speedups = {};  ///< of class 1, 2, ...
  int priority = 0;
  CodeletId codelet = 0;
  std::vector<WorkerId> workers = {};  ///< who may run it; empty: all
};

template <Policy P>
class QueueFixture {
 public:
  static constexpr WorkerId kCpu = 0;
  static constexpr WorkerId kGpu = 1;

  explicit QueueFixture(unsigned accelerators = 1)
      : machine_(des::machine(1, std::vector<unsigned>(accelerators, 1))),
        eligibility_(machine_),
        policy_({machine_, eligibility_}) {}

  void push(const std::string& name, std::optional<double> speedup, int priority = 0, Runs runs = Runs::both) {
    std::vector<WorkerId> workers;
    if (runs != Runs::gpu) workers.push_back(kCpu);
    if (runs != Runs::cpu) workers.push_back(kGpu);
    add(name, {.speedups = {speedup}, .priority = priority, .workers = workers});
  }

  void add(const std::string& name, const HandMade& what) {
    Named& task = tasks_.emplace_back();
    task.name = name;
    task.sequence = tasks_.size();
    task.priority = what.priority;
    task.codelet = what.codelet;
    WorkerSet workers;
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
      if (what.workers.empty() || std::ranges::count(what.workers, worker) != 0) workers.insert(worker);
    }
    task.group = eligibility_.intern(workers);
    for (ClassId id = 1; id <= what.speedups.size(); ++id) {
      if (!what.speedups[id - 1]) continue;
      task.speedups.set(0, 1);
      task.speedups.set(id, *what.speedups[id - 1]);
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
