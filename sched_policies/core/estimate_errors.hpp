// How wrong estimates turned out to be, and what to expect of the next ones.
#pragma once

#include <array>
#include <cstddef>
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
  /// What to expect instead of an estimate of `seconds`, which counts for later tasks. O(1) amortised.
  double expected(StreamId stream, ClassId id, double seconds);

  /// A task that was estimated to take `estimated` seconds on a class ran for `seconds`. What is not above 0 is
  /// ignored.
  void measured(StreamId stream, ClassId id, double estimated, double seconds);

  /// Standard deviation of the logarithm of run time over estimate, from the lower quartile of the last runs: what a
  /// driver that was busy elsewhere measured too long, or too short after that, does not count. 0 while too few are
  /// known.
  double sigma(StreamId stream, ClassId id) const;

  /// exp(sigma), but no more than sigma 0.5 gives: how many times its estimate a task may well take.
  double slack(StreamId stream, ClassId id) const;

 private:
  /// Where values crowd: how many there were, in steps, and how far each step is from the middle of its surroundings.
  class Crowd {
   public:
    /// Counts the value and returns where it should be if values err by `sigma`.
    double settle(double value, double sigma);

   private:
    void survey(double sigma);

    std::vector<float> counts_, shifts_;
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
  };
  Known& known(StreamId stream, ClassId id);

  std::vector<std::array<Known, kMaxDeviceClasses>> known_;  // by stream
};

}  // namespace starpath
