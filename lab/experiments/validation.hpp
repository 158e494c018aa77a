// How well the estimator predicts a workload's tasks that it has not seen.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace starpath::lab {

struct ValidationRequest {
  std::string machine, workload;
  std::vector<std::string> set;
  std::vector<std::uint64_t> seeds = {1, 2, 3};
  std::size_t jobs = 30;  ///< tasks of each codelet
};

/// Mean relative errors of one codelet, in percent, over the seeds.
struct EstimateErrors {
  std::string codelet;
  double speedup = 0, core_time = 0;
};

/// By codelet. Throws Error{usage} where no codelet of the workload runs on cores and on accelerators of the machine.
std::vector<EstimateErrors> validate_estimates(const ValidationRequest& request);

}  // namespace starpath::lab
