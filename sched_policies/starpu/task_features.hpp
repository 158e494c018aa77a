// The estimator's input for a StarPU task.
#pragma once

#include <starpu.h>

#include <optional>

#include "estimator/features.hpp"

namespace starpath {

/// Features of `task` run by implementation `implementation`. Numeric: the parameters that its codelet's performance
/// model declares (`nparameters` with `parameters`); else the number of its buffers and each buffer's size in bytes,
/// the first 15. Categorical: the implementation. nullopt when a declared parameter is NaN or infinite: such a task is
/// neither estimated nor learnt from. Parameters past Features::kMaxNumeric are left out.
std::optional<Features> task_features(starpu_task& task, unsigned implementation);

}  // namespace starpath
