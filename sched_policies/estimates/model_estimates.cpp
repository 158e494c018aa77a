// Execution-time estimates of StarPU tasks from StarPU's performance models.
#include "sched_policies/estimates/model_estimates.hpp"

#include <bit>
#include <limits>
#include <string>

#include "sched_policies/estimates/task_estimates.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What a model says, which StarPU has loaded. Of a cost function of the application that may be any number. StarPU
/// ends the program where such a function gives a negative one, or is missing. So the application's functions are
/// called here, in the way StarPU would call them. A model that StarPU measures says NaN where it is not calibrated.
/// With the number of a context StarPU would walk the worker's list of contexts, which changes when the worker leaves
/// one.
double microseconds(starpu_perfmodel& model, starpu_task& task, unsigned worker, unsigned implementation) {
  if (model.type != STARPU_PER_ARCH && model.type != STARPU_COMMON)
    return starpu_task_worker_expected_length(&task, worker, STARPU_NMAX_SCHED_CTXS, implementation);
  starpu_perfmodel_arch* const arch = starpu_worker_get_perf_archtype(static_cast<int>(worker), STARPU_NMAX_SCHED_CTXS);
  if (model.type == STARPU_COMMON) {
    if (model.cost_function == nullptr) return kUnknown;
    return model.cost_function(&task, implementation) / starpu_worker_get_relative_speedup(arch);
  }
  if (model.arch_cost_function != nullptr) return model.arch_cost_function(&task, arch, implementation);
  const starpu_perfmodel_per_arch* const here = starpu_perfmodel_get_model_per_arch(&model, arch, implementation);
  return here != nullptr && here->cost_function != nullptr ? here->cost_function(&task, arch, implementation)
                                                           : kUnknown;
}

}  // namespace

bool ModelEstimates::has_model(const starpu_task& task) {
  if (task.cl->model != nullptr) return true;
  no_model_.say(report_, [&] {
    return "codelet '" + std::string(codelet_name(*task.cl)) +
           "' has no performance model, so STARPATH_ESTIMATOR=perfmodel knows nothing of its tasks";
  });
  return false;
}

std::optional<double> ModelEstimates::seconds(starpu_task& task, unsigned worker, unsigned implementation) {
  if (task.cl->model == nullptr) return std::nullopt;
  return known(microseconds(*task.cl->model, task, worker, implementation) * 1e-6);
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
