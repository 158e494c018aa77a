// The estimator's input for a StarPU task.
#pragma once
#include <starpu.h>

#include <optional>
#include <string>
#include <vector>

#include "estimator/features.hpp"

namespace starpath {

/// Nothing, and why, for a task that is neither estimated nor learnt from.
struct TaskInput {
  std::optional<Features> features;
  bool waits = false;  ///< a parameter is not known, or not yet: no mistake of the application
};

/// Features of `task` run by implementation `implementation`. Numeric: the parameters that its codelet's performance
/// model declares (`nparameters` with `parameters`); else the number of its buffers and each buffer's size in bytes,
/// the first 15. Categorical: the implementation. None when a declared parameter is NaN, infinite or negative, or is
/// not known: the function `parameters` leaves it as it found it. Parameters past Features::kMaxNumeric are left out.
TaskInput task_features(starpu_task& task, unsigned implementation);

/// Whether `features`, which are some task's for implementation 0, are those of `task` too. Computes none, so it says
/// no where the codelet's performance model declares parameters.
bool has_features_of_buffers(starpu_task& task, const Features& features);

/// The same features for another implementation.
Features with_implementation(Features features, unsigned implementation);

/// The names of such tasks' features. Numeric ones are the performance model's parameters ("p0", "p1", ... if it names
/// none). Without parameters they are "buffers", "bytes0", "bytes1", ... for as many as there may be. The only category
/// is "implementation".
struct FeatureNames {
  std::vector<std::string> numeric;
  std::vector<std::string> categorical;
};
FeatureNames feature_names(const starpu_task& task);

}  // namespace starpath
