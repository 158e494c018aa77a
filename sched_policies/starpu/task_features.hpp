// The estimator's input for a StarPU task.
#pragma once

#include <starpu.h>

#include <optional>
#include <string>
#include <vector>

#include "estimator/features.hpp"

namespace starpath {

/// Features of `task` run by implementation `implementation`. Numeric: the parameters that its codelet's performance
/// model declares (`nparameters` with `parameters`); else the number of its buffers and each buffer's size in bytes,
/// the first 15. Categorical: the implementation. nullopt when a declared parameter is NaN, infinite or negative: such
/// a task is neither estimated nor learnt from. Parameters past Features::kMaxNumeric are left out.
std::optional<Features> task_features(starpu_task& task, unsigned implementation);

/// The same features for another implementation.
Features with_implementation(Features features, unsigned implementation);

/// What the features of such tasks are called: numeric ones as the performance model names its parameters ("p0", "p1"
/// without names), else "buffers", "bytes0", "bytes1", ... for as many as there may be; the category "implementation".
struct FeatureNames {
  std::vector<std::string> numeric;
  std::vector<std::string> categorical;
};
FeatureNames feature_names(const starpu_task& task);

}  // namespace starpath
