// How wrong estimates turned out to be, and what to expect of the next ones.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A scheduler that picks the best of many estimates picks the errors among them. So the run time to expect of a task
/// on a class is a weighted mean of the logarithms of all estimates for its codelet there. The weight of an estimate is
/// the probability of its distance from the task's estimate, under a normal distribution with the measured error. So an
/// estimate without others near it stays, and one in a cluster moves to the middle of the cluster. Where estimates
/// proved right nothing is corrected. Not thread-safe.
class EstimateErrors {
 public:
  struct Expected {
    double seconds = 0;
    std::int8_t corrected = 0;  ///< 20 ln(seconds / estimate), rounded, from -127 to 127
  };

  /// What to expect instead of an estimate of `seconds`. The estimate counts for later tasks. O(1) amortised.
  Expected expected(CodeletId codelet, ClassId id, double seconds);

  /// The estimate that was corrected to `expected`.
  static double estimated(double expected, std::int8_t corrected);

  /// A task that was estimated to take `estimated` seconds on a class ran for `seconds`. Ignored unless both are above
  /// 0.
  void measured(CodeletId codelet, ClassId id, double estimated, double seconds);

  /// Standard deviation of ln(run time / estimate), computed from the lower quartile of the last 64 runs. The quartile
  /// leaves out wrong measurements: a busy driver thread notices the end of a task late. 0 before 8 runs.
  double sigma(CodeletId codelet, ClassId id) const;

  /// exp(min(sigma, 0.5)): how many times its estimate a task may well take.
  double slack(CodeletId codelet, ClassId id) const;

 private:
  /// A histogram of values, and how far each of its steps is from the weighted mean of the values around it.
  class Histogram {
   public:
    /// Counts the value; returns the weighted mean of the values around it if their error is `sigma`.
    double settle(double value, double sigma);

   private:
    struct Shift {
      float value = 0;
      std::uint32_t survey = 0;  // for which it was computed; 0: none
    };
    /// Copies the histogram: shifts are computed from the copy until the next survey.
    void survey(double sigma);
    float shift(std::size_t step);

    std::vector<float> counts_;
    std::size_t lowest_ = 0, highest_ = 0;  // steps with values
    std::vector<float> surveyed_;           // the counts from `lowest_` to `highest_`, as of the last survey
    std::size_t surveyed_lowest_ = 0;
    int reach_ = 0;                // distance in steps, beyond which values do not count
    std::vector<double> weights_;  // by distance; computed as needed
    std::vector<Shift> shifts_;    // by step; computed as needed
    std::uint32_t surveys_ = 0;
    double total_ = 0;
    double surveyed_total_ = 0, surveyed_sigma_ = 0;
  };
  struct Error {
    std::array<float, 64> recent{};  // |ln(run time / estimate)| of the last runs; a ring, the next at `runs` modulo 64
    std::size_t runs = 0;
    double sigma = 0, slack = 1;
  };
  struct Known {
    Histogram estimates;  // of their logarithms
    Error error;
    // The last estimate and its correction: many tasks are alike, and logarithms are expensive.
    double seconds = std::numeric_limits<double>::quiet_NaN(), logarithm = 0, settled = 0;
    Expected expected = {};
  };
  Known& known(CodeletId codelet, ClassId id);

  std::vector<std::array<Known, kMaxDeviceClasses>> known_;  // by codelet
};

}  // namespace starpath
