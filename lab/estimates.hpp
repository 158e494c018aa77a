// The time of each task that a scheduler is told: from a profiling run, exact, or wrong by a known amount.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "estimator/features.hpp"
#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// The source of estimates. `amount` is a fraction (0.5: 50 %); for `sigma` it is the sigma of the logarithm of the
/// error.
struct EstimatorChoice {
  enum class Kind {
    exact,     ///< the true time
    knn,       ///< mean of the 2 nearest samples of a profiling run (anthill-2010 section 4)
    history,   ///< mean of all samples of the same codelet and data size, as StarPU's history models
    error,     ///< the true time, each longer or shorter by `amount` with equal chance (edc-2014 V-D)
    sigma,     ///< the true time times exp(`amount` * a standard normal), drawn for each task and class
    confound,  ///< speedups: `amount` more for kinds that gain less than the median kind, less for the others
               ///< (hybrid-pipelines-2012 V-G)
  };
  Kind kind = Kind::exact;
  double amount = 0;
};

/// The estimator's features of a task.
Features features_of(const WorkTask& task);

/// "exact", "knn", "history", "error:PERCENT", "sigma:NUMBER" or "confound:PERCENT". Throws Error (usage).
EstimatorChoice parse_estimator(const std::string& text);

/// An error of 100 % leaves a task this long.
inline constexpr double kShortestEstimate = 1e-6;

/// Seconds by task and class; infinity where a task cannot run. `knn` and `history` see a profiling run only: the same
/// model on the same machine with other data (another seed), never the tasks themselves. Deterministic.
std::vector<std::vector<double>> make_estimates(const EstimatorChoice& choice, const Workload& workload,
                                                const WorkloadModel& model, const LabMachine& machine,
                                                std::uint64_t seed);

}  // namespace starpath::lab
