// Estimates of one task, for people.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "estimator/learner.hpp"

namespace starpath {

/// A task as a user describes it.
struct DescribedTask {
  std::string codelet;
  std::vector<std::string> values;  ///< of its parameters, each NAME=NUMBER
};

/// What the samples of one device class say of a task.
struct ClassEstimate {
  std::string device_class;
  std::optional<double> seconds;
  std::optional<double> error;    ///< expected of the seconds, as a share of them; none: the learner cannot say
  std::optional<double> speedup;  ///< over the baseline's class
  std::size_t samples = 0;
};

/// Time and speedup of the task on each device class that has samples of its codelet, as `learner` estimates them.
/// `baseline`: the class that speedups are relative to; there is no speedup without samples of it. Throws Error{usage}
/// for a codelet or parameters that the profile does not have, and as open_profile.
std::vector<ClassEstimate> estimate_task(const std::string& profile, const DescribedTask& task,
                                         const MakeLearner& learner, const std::string& baseline);

}  // namespace starpath
