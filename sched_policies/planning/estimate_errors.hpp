// How wrong estimates turned out to be, and what to expect of the next ones.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// Corrects estimates of run times by how wrong earlier ones were. A scheduler that picks the best of many estimates
/// picks the errors among them. So an estimate moves towards the mean of the estimates of its codelet and class, by the
/// share of their variance that is error. That is the best linear guess, of logarithms; means and errors are those of
/// the last few dozen. Until a codelet has run on a class, its estimates there count as wrong as those of all codelets.
/// Where estimates proved right nothing moves. Not thread-safe. Source: James and Stein's estimator, as Efron and
/// Morris have it (JASA 1973).
class EstimateErrors {
 public:
  /// What to expect instead of an estimate of `seconds`. The estimate counts for later tasks.
  double expected(CodeletId codelet, ClassId id, double seconds) {
    if (!is_time(seconds)) return seconds;
    Known& here = known(codelet, id);
    if (seconds != here.seconds) here.logarithm = std::log(here.seconds = seconds);  // many tasks are alike
    const double away = here.logarithm - here.mean, weight = weight_of(++here.estimates);
    here.mean += weight * away;
    here.variance += weight * (away * away * (1 - weight) - here.variance);
    const double mean = here.errors >= kFewest ? here.error : all_.errors >= kFewest ? all_.error : 0;
    const double error = std::min(kOfMean * mean * mean, here.variance);
    return error > kLeast ? seconds * std::exp((here.mean - here.logarithm) * error / here.variance) : seconds;
  }

  /// A task that was estimated to take `estimated` seconds on a class ran for `seconds`. Ignored unless both are above
  /// 0 and finite.
  void measured(CodeletId codelet, ClassId id, double estimated, double seconds) {
    if (!is_time(estimated) || !is_time(seconds)) return;
    const double error = std::abs(std::log(seconds / estimated));
    for (Known* const counts : {&known(codelet, id), &all_})
      counts->error += weight_of(++counts->errors) * (error - counts->error);
  }

 private:
  static constexpr double kRecent = 64;                    // 16 to 256 are as good: bench/results/apex.md
  static constexpr std::size_t kFewest = 4;                // runs that tell an error; 1 to 8 are as good
  static constexpr double kLeast = 0.0025;                 // variance of 5 %: smaller errors move nothing
  static constexpr double kOfMean = std::numbers::pi / 2;  // variance over the square of the mean, if errors are normal

  struct Known {
    std::size_t estimates = 0, errors = 0;  // how many were counted
    double mean = 0, variance = 0;          // of the logarithms of estimates
    double error = 0;                       // mean of |ln(run time / estimate)|: squares would grow with one wild time
    double seconds = 0, logarithm = 0;      // of the last estimate
  };

  static bool is_time(double seconds) { return seconds > 0 && std::isfinite(seconds); }
  static double weight_of(std::size_t count) { return std::max(1.0 / static_cast<double>(count), 1.0 / kRecent); }
  Known& known(CodeletId codelet, ClassId id) {
    if (codelet >= known_.size()) known_.resize(codelet + 1);
    return known_[codelet][id];
  }

  std::vector<std::array<Known, kMaxDeviceClasses>> known_;  // by codelet
  Known all_;                                                // the errors of all codelets and classes
};

}  // namespace starpath
