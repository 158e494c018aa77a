// What is to be learnt from a task's time.
#pragma once
#include "estimator/features.hpp"

namespace starpath {

/// As of when the task starts: its data may be gone when it ends.
struct Lesson {
  Features features;
  double modelled = 0;  ///< Sample::modelled
};

}  // namespace starpath
