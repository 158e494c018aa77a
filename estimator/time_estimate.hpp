// What a learner says of the time of a task.
#pragma once
#include <limits>

namespace starpath {

struct TimeEstimate {
  double seconds = 0;  ///< finite, > 0
  double over_model =
      0;  ///< such tasks' seconds over what a model said of each; 0: a model said nothing, or not of each
  /// How sure: the expected error of `seconds` as a share of them (0.1: 10 %). Infinity: the learner cannot say.
  double error = std::numeric_limits<double>::infinity();
};

}  // namespace starpath
