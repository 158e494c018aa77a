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

/// Estimates that are wrong by chance flatter somebody: whoever picks the best of many picks errors. What a task is
/// expected to take on a class is therefore the mean of all estimates for its codelet there so far, in logarithms, each
/// weighted by how likely an error explains that it differs from this task's (a normal distribution of the measured
/// error): an estimate with no others near it stays, one in a crowd moves to its middle. Estimates that turned out
/// right stay as they are. Not thread-safe.
class EstimateErrors {
 public:
  struct Expected {
    double seconds = 0;
    std::int8_t corrected = 0;  ///< 20 times the logarithm of that over the estimate, at most 127 either way
  };

  /// What to expect instead of an estimate of `seconds`, which counts for later tasks. O(1) amortised.
  Expected expected(CodeletId codelet, ClassId id, double seconds);

  /// The estimate that was corrected so.
  static double estimated(double expected, std::int8_t corrected);

  /// A task that was estimated to take `estimated` seconds on a class ran for `seconds`. What is not above 0 is
  /// ignored.
  void measured(CodeletId codelet, ClassId id, double estimated, double seconds);

  /// Standard deviation of the logarithm of run time over estimate, from the lower quartile of the last runs: what a
  /// driver that was busy elsewhere measured too long, or too short after that, does not count. 0 while too few are
  /// known.
  double sigma(CodeletId codelet, ClassId id) const;

  /// exp(sigma), but no more than sigma 0.5 gives: how many times its estimate a task may well take.
  double slack(CodeletId codelet, ClassId id) const;

 private:
  /// Where values crowd: how many there were, in steps, and how far each step is from the middle of its surroundings.
  class Crowd {
   public:
    /// Counts the value and returns where it should be if values err by `sigma`.
    double settle(double value, double sigma);

   private:
    struct Shift {
      float value = 0;
      std::uint32_t survey = 0;  // that it is of; of none: 0
    };
    void survey(double sigma);
    float shift(std::size_t step);

    std::vector<float> counts_;
    std::size_t lowest_ = 0, highest_ = 0;  // steps that were counted
    std::vector<float> surveyed_;           // the counts from `lowest_` to `highest_`, as of the last survey
    std::size_t surveyed_lowest_ = 0;
    int reach_ = 0;                // the longest distance that counts, in steps
    std::vector<double> weights_;  // by distance, as far as was asked for
    std::vector<Shift> shifts_;    // the same
    std::uint32_t surveys_ = 0;
    double total_ = 0;
    double surveyed_total_ = 0, surveyed_sigma_ = 0;
  };
  struct Error {
    std::array<float, 64> recent{};  // of the last runs, without sign; from `runs` modulo their number on, the oldest
    std::size_t runs = 0;
    double sigma = 0, slack = 1;
  };
  struct Known {
    Crowd estimates;  // their logarithms
    Error error;
    // The last estimate and what became of it: many tasks are alike, and logarithms are dear.
    double seconds = std::numeric_limits<double>::quiet_NaN(), logarithm = 0, settled = 0;
    Expected expected = {};
  };
  Known& known(CodeletId codelet, ClassId id);

  std::vector<std::array<Known, kMaxDeviceClasses>> known_;  // by codelet
};

}  // namespace starpath
