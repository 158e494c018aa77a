// Execution-time estimates of StarPU tasks from StarPU's performance models.
#pragma once
#include <starpu.h>

#include <optional>

#include "sched_policies/estimates/class_workers.hpp"
#include "sched_policies/estimates/once.hpp"

namespace starpath {

/// Thread-safe. Nullopt where a model is not calibrated, or there is none.
class ModelEstimates {
 public:
  /// `report` gets a line for the first task without a model that `has_model` is asked about.
  ModelEstimates(const ClassWorkers& classes, const ProfileUse::Report& report) : classes_(classes), report_(report) {}

  bool has_model(const starpu_task& task);
  /// Of one implementation.
  static std::optional<double> seconds(starpu_task& task, unsigned worker, unsigned implementation);
  /// Of the implementation that is fastest on a class, among those that `task` may use there: a model need not answer
  /// for others, and StarPU aborts where it does not.
  std::optional<double> fastest(starpu_task& task, ClassId id) const;

 private:
  struct Able {
    WorkerId worker = 0;
    unsigned implementations = 0;  // that it may use, a bit each; 0: nobody may run the task
  };
  Able able(starpu_task& task, ClassId id) const;

  const ClassWorkers& classes_;
  const ProfileUse::Report& report_;
  Once no_model_;
};

}  // namespace starpath
