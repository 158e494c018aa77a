// Ten-fold cross-validation over the first tasks of each codelet.
#include "lab/experiments/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "estimator/validation.hpp"
#include "lab/estimates.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/experiments/runs.hpp"

namespace starpath::lab {
namespace {

/// The samples that a profiling run of the first `jobs` tasks of a codelet gives.
std::vector<Sample> profile(const Workload& workload, unsigned codelet, std::size_t jobs) {
  std::vector<Sample> samples;
  for (const WorkTask& task : workload.tasks) {
    if (task.codelet != codelet || jobs == 0) continue;
    --jobs;
    for (unsigned c = 0; c < task.seconds.size(); ++c)
      if (std::isfinite(task.seconds[c])) samples.push_back({features_of(task), c, task.seconds[c]});
  }
  return samples;
}

}  // namespace

std::vector<EstimateErrors> validate_estimates(const ValidationRequest& request) {
  std::vector<EstimateErrors> all;
  std::map<std::string, int> runs;  // of each codelet
  for (const std::uint64_t seed : request.seeds) {
    const Experiment experiment{machine_file(request.machine), workload_file(request.workload), request.set, {}, seed};
    const Workload workload = make_workload(workload_of(experiment), machine_of(experiment), seed);
    for (unsigned codelet = 0; codelet < workload.codelets.size(); ++codelet) {
      const std::vector<Sample> samples = profile(workload, codelet, request.jobs);
      std::vector<Sample> cores;
      std::ranges::copy_if(samples, std::back_inserter(cores),
                           [](const Sample& sample) { return sample.device_class == 0; });
      const ValidationSettings settings{.folds = 10, .k = 2, .baseline = 0, .seed = seed};
      const auto speedup = cross_validate(samples, settings).speedup;
      const auto time = cross_validate(cores, settings).time;
      if (!speedup || !time) continue;  // runs on cores only, or once
      auto errors = std::ranges::find(all, workload.codelets[codelet], &EstimateErrors::codelet);
      if (errors == all.end()) errors = all.insert(all.end(), {.codelet = workload.codelets[codelet]});
      errors->speedup += 100 * *speedup;
      errors->core_time += 100 * *time;
      ++runs[errors->codelet];
    }
  }
  if (all.empty())
    throw Error(ErrorKind::usage, fmt::format("workload {} has no codelet that runs on cores and on accelerators of {}",
                                              request.workload, request.machine));
  for (EstimateErrors& errors : all) {
    errors.speedup /= runs[errors.codelet];
    errors.core_time /= runs[errors.codelet];
  }
  return all;
}

}  // namespace starpath::lab
