// Execution-time estimates of StarPU tasks from StarPU's performance models.
#include "sched_policies/estimates/model_estimates.hpp"

#include <bit>
#include <string>

#include "sched_policies/estimates/task_estimates.hpp"
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

/// StarPU's model says NaN where it is not calibrated, and 0 where there is none. With the number of a context it would
/// walk the worker's list of contexts, which changes when the worker leaves one.
std::optional<double> ModelEstimates::seconds(starpu_task& task, unsigned worker, unsigned implementation) {
  if (task.cl->model == nullptr) return std::nullopt;
  return known(starpu_task_worker_expected_length(&task, worker, STARPU_NMAX_SCHED_CTXS, implementation) * 1e-6);
}

/// The first worker of a class that may run the task.
ModelEstimates::Able ModelEstimates::able(starpu_task& task, ClassId id) const {
  const bool bound = task.execute_on_a_specific_worker != 0;
  if (!bound && !chooses_workers(task)) return {classes_.all[id].front(), implementations(task, classes_.types[id])};
  for (const WorkerId worker : classes_.all[id]) {
    unsigned mask = 0;
    if (bound && worker != task.workerid) continue;
    if (starpu_worker_can_execute_task_impl(worker, &task, &mask) != 0) return {worker, mask};
  }
  return {};
}

std::optional<double> ModelEstimates::fastest(starpu_task& task, ClassId id) const {
  if (task.cl->model == nullptr) return std::nullopt;
  const Able one = able(task, id);
  std::optional<double> best;
  for (unsigned mask = one.implementations; mask != 0; mask &= mask - 1) {
    const auto time = seconds(task, one.worker, static_cast<unsigned>(std::countr_zero(mask)));
    if (time && (!best || *time < *best)) best = time;
  }
  return best;
}

}  // namespace starpath
