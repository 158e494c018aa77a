// Execution-time estimates of StarPU tasks from StarPU's performance models.
#include "sched_policies/estimates/model_estimates.hpp"

#include <bit>
#include <cmath>
#include <string>

#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {

bool ModelEstimates::has_model(const starpu_task& task) {
  if (task.cl->model != nullptr) return true;
  no_model_.say(report_, [&] {
    return "codelet '" + std::string(codelet_name(*task.cl)) +
           "' has no performance model, so STARPATH_ESTIMATOR=perfmodel knows nothing of its tasks";
  });
  return false;
}

/// StarPU's model says NaN where it is not calibrated, and 0 where there is none.
std::optional<double> ModelEstimates::seconds(starpu_task& task, unsigned worker, unsigned context,
                                              unsigned implementation) {
  if (task.cl->model == nullptr) return std::nullopt;
  const double microseconds = starpu_task_worker_expected_length(&task, worker, context, implementation);
  if (!std::isfinite(microseconds) || microseconds <= 0) return std::nullopt;
  return microseconds * 1e-6;
}

std::optional<double> ModelEstimates::fastest(starpu_task& task, ClassId id, unsigned context) const {
  const WorkerId worker = classes_.first[id];
  std::optional<double> best;
  for (unsigned mask = implementations(*task.cl, classes_.types[id]); mask != 0; mask &= mask - 1) {
    const auto time = seconds(task, worker, context, static_cast<unsigned>(std::countr_zero(mask)));
    if (time && (!best || *time < *best)) best = time;
  }
  return best;
}

}  // namespace starpath
