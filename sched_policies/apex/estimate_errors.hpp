// How wrong estimates turned out to be, and what to expect of the next ones.
#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A scheduler that picks the best of many estimates picks the errors among them. So the run time to expect of a task
/// on a class is the geometric mean of those of the last 64 estimates for its codelet there that are near its own:
/// within sqrt(3) standard deviations of the measured error. An estimate without others near it stays, and one in a
/// cluster moves to the middle of the cluster. Where estimates proved right nothing is corrected. Not thread-safe.
/// Source: Tweedie's formula (Efron, JASA 2011), with the slope of the density taken from a window.
class EstimateErrors {
 public:
  /// What to expect instead of an estimate of `seconds`. The estimate counts for later tasks.
  double expected(CodeletId codelet, ClassId id, double seconds);

  /// A task that was estimated to take `estimated` seconds on a class ran for `seconds`. Ignored unless both are above
  /// 0.
  void measured(CodeletId codelet, ClassId id, double estimated, double seconds);

  /// Standard deviation of ln(run time / estimate), computed from the lower quartile of the last 64 runs. The quartile
  /// leaves out wrong measurements: a busy driver thread notices the end of a task late. 0 before 8 runs.
  double sigma(CodeletId codelet, ClassId id) const;

 private:
  struct Known {
    std::array<double, 64> estimates{};  // their logarithms; a ring, the next at `estimated` modulo 64
    std::array<float, 64> errors{};      // |ln(run time / estimate)|; a ring, the next at `runs` modulo 64
    std::size_t estimated = 0, runs = 0;
    double sigma = 0;
    // The last estimate: many tasks are alike, and logarithms are expensive.
    double seconds = std::numeric_limits<double>::quiet_NaN(), logarithm = 0;
  };
  Known& known(CodeletId codelet, ClassId id);

  std::vector<std::array<Known, kMaxDeviceClasses>> known_;  // by codelet
};

}  // namespace starpath
