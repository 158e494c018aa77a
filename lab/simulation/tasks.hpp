// The tasks of a simulated workload as StarPU sees them: codelets that compute nothing and take their time.
#pragma once
#include <starpu.h>

#include <functional>
#include <memory>
#include <vector>

#include "lab/machine.hpp"
#include "lab/simulation/data.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// A task that has ended.
struct TaskExecution {
  int worker = -1;
  double start = 0, end = 0;  ///< StarPU's clock, seconds
};

/// The tasks that have run.
struct Books {
  std::vector<std::vector<unsigned>> ran;  ///< tasks by kind and class
  std::vector<double> busy;                ///< seconds by class
  unsigned leaks = 0;                      ///< tasks whose true time somebody else asked for
};

/// Submits a workload's tasks. Only this class knows both truth and estimate. Until StarPU has taken a task out of the
/// policy, its cost function answers with the estimate. After that it answers with the true time, once, because the
/// simulator asks how long to run the task. SimGrid runs one thread at a time, so nothing here needs a lock.
class SimulatedTasks {
 public:
  struct Options {
    double speed = 1;  ///< of every worker against the workload's true times; estimates do not know of it
    /// Devices wait for their codelets. Asynchronous ones are as CUDA codelets are written: a synchronous one keeps
    /// StarPU from starting the next task's copies while it runs, unless the policy prefetches.
    bool synchronous = false;
    std::function<bool(const WorkTask&)> takes_no_time = {};
  };

  /// `on_end(task)` is called on the worker that ran it. All outlive this, and StarPU must be running.
  SimulatedTasks(const Workload& workload, const std::vector<std::vector<double>>& estimates, const LabMachine& machine,
                 Options options, std::function<void(std::size_t)> on_end);
  SimulatedTasks(const SimulatedTasks&) = delete;
  SimulatedTasks& operator=(const SimulatedTasks&) = delete;

  /// Throws Error (runtime) when StarPU refuses it.
  void submit(std::size_t task, SimulatedData& data);
  const TaskExecution& run(std::size_t task) const { return states_[task].run; }
  const Books& books() const { return books_; }

 private:
  struct State {
    SimulatedTasks* owner = nullptr;
    bool popped = false;
    unsigned asked_for_truth = 0;  // 1, if none but the simulator asked
    TaskExecution run;
  };
  struct Codelet {
    starpu_codelet codelet{};
    starpu_perfmodel model{};
  };

  static double cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned);
  static void popped(void* state) { static_cast<State*>(state)->popped = true; }
  static void ended(void* state);
  std::size_t number_of(const State& state) const { return static_cast<std::size_t>(&state - states_.data()); }
  double seconds(std::size_t task, std::size_t device_class) const;
  /// Class of the machine that a worker of StarPU belongs to.
  std::size_t class_of(int worker) const;
  void make_codelets();
  void check_workers(const LabMachine& machine) const;

  const Workload& workload_;
  const std::vector<std::vector<double>>& estimates_;
  const Options options_;
  const std::function<void(std::size_t)> on_end_;
  std::vector<State> states_;
  Books books_;
  std::vector<std::size_t> class_of_device_;  // by StarPU's number of the CUDA device
  std::vector<std::unique_ptr<Codelet>> codelets_;
};

}  // namespace starpath::lab
