// How wrong estimates turned out to be, and what to expect of the next ones.
#include "sched_policies/apex/estimate_errors.hpp"

#include <algorithm>
#include <cmath>

namespace starpath {
namespace {

constexpr double kLowest = -14;  // logarithm at the first step; values beyond the ends count at the ends
constexpr double kStep = 0.05;   // width of a step
constexpr int kSteps = 512;
constexpr double kLeast = kStep;        // smaller errors change nothing
constexpr double kWidest = 0.5;         // largest logarithm of a slack: a worker that waits for certainty idles
constexpr double kSelfWeight = 8;       // the task's estimate weighs as much as so many others
constexpr double kMost = 4096;          // values, after which the old ones count half
constexpr std::size_t kFewest = 8;      // runs from which an error is computed
constexpr std::size_t kSeldom = 8;      // runs between two computations of the error
constexpr double kOfQuartile = 3.1387;  // of a normal distribution: sigma over the lower quartile of |x|

std::int8_t correction(double factor) {
  return static_cast<std::int8_t>(std::clamp(std::round(20 * std::log(factor)), -127.0, 127.0));
}

}  // namespace

EstimateErrors::Known& EstimateErrors::known(CodeletId codelet, ClassId id) {
  if (codelet >= known_.size()) known_.resize(codelet + 1);
  return known_[codelet][id];
}

double EstimateErrors::sigma(CodeletId codelet, ClassId id) const {
  return codelet < known_.size() ? known_[codelet][id].error.sigma : 0;
}

double EstimateErrors::slack(CodeletId codelet, ClassId id) const {
  return codelet < known_.size() ? known_[codelet][id].error.slack : 1;
}

void EstimateErrors::measured(CodeletId codelet, ClassId id, double estimated, double seconds) {
  if (!(estimated > 0) || !(seconds > 0)) return;
  Error& error = known(codelet, id).error;
  error.recent[error.runs++ % error.recent.size()] = static_cast<float>(std::abs(std::log(seconds / estimated)));
  if (error.runs < kFewest || error.runs % kSeldom != 0) return;
  auto sorted = error.recent;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(error.runs, sorted.size()));
  const auto quartile = sorted.begin() + (end - sorted.begin()) / 4;
  std::nth_element(sorted.begin(), quartile, end);
  error.sigma = kOfQuartile * *quartile;
  error.slack = std::exp(std::min(error.sigma, kWidest));
}

void EstimateErrors::Histogram::survey(double sigma) {
  surveyed_total_ = total_;
  surveyed_sigma_ = sigma;
  surveyed_lowest_ = lowest_;
  surveyed_.assign(counts_.begin() + static_cast<std::ptrdiff_t>(lowest_),
                   counts_.begin() + static_cast<std::ptrdiff_t>(highest_) + 1);
  reach_ = 0;
  while (reach_ + 1 < kSteps && (reach_ + 1) * kStep <= 3 * sigma) ++reach_;
  weights_.clear();
  shifts_.resize(kSteps);
  ++surveys_;
}

/// From the step to the weighted mean of the values around it, as of the last survey; 0 without values there.
float EstimateErrors::Histogram::shift(std::size_t step) {
  Shift& cached = shifts_[step];
  if (cached.survey == surveys_) return cached.value;
  const auto at = static_cast<int>(step) - static_cast<int>(surveyed_lowest_);  // among the surveyed
  const int first = std::max(-reach_, -at), last = std::min(reach_, static_cast<int>(surveyed_.size()) - 1 - at);
  for (auto d = static_cast<int>(weights_.size()); d <= std::max(-first, last); ++d) {
    const double deviations = d * kStep / surveyed_sigma_;
    weights_.push_back(std::exp(-0.5 * deviations * deviations));
  }
  double sum = kSelfWeight, moment = 0;
  for (int d = first; d <= last; ++d) {
    const double weight = surveyed_[static_cast<std::size_t>(at + d)] * weights_[static_cast<std::size_t>(std::abs(d))];
    sum += weight;
    moment += weight * d * kStep;
  }
  cached = {.value = static_cast<float>(moment / sum), .survey = surveys_};
  return cached.value;
}

double EstimateErrors::Histogram::settle(double value, double sigma) {
  const auto step = static_cast<std::size_t>(std::clamp((value - kLowest) / kStep, 0.0, kSteps - 1.0));
  if (counts_.empty()) {
    counts_.resize(kSteps);
    lowest_ = highest_ = step;
  }
  lowest_ = std::min(lowest_, step);
  highest_ = std::max(highest_, step);
  ++counts_[step];
  if (++total_ > kMost) {
    for (float& count : counts_) count /= 2;
    total_ /= 2;
    surveyed_total_ /= 2;
  }
  if (sigma < kLeast) return value;
  const bool grown = total_ > 1.2 * surveyed_total_ + 4;
  if (grown || std::abs(sigma - surveyed_sigma_) > 0.1 * surveyed_sigma_) survey(sigma);
  return value + shift(step);
}

EstimateErrors::Expected EstimateErrors::expected(CodeletId codelet, ClassId id, double seconds) {
  Known& last = known(codelet, id);
  if (seconds != last.seconds) {
    last.seconds = seconds;
    last.logarithm = last.settled = std::log(std::max(seconds, 1e-9));
    last.expected = {.seconds = seconds, .corrected = 0};
  }
  const double settled = last.estimates.settle(last.logarithm, last.error.sigma);
  if (settled == last.settled) return last.expected;
  last.settled = settled;
  last.expected = {.seconds = seconds, .corrected = 0};
  if (settled != last.logarithm)
    last.expected = {.seconds = std::exp(settled), .corrected = correction(std::exp(settled) / seconds)};
  return last.expected;
}

double EstimateErrors::estimated(double expected, std::int8_t corrected) {
  static const auto factors = [] {
    std::array<double, 256> table{};
    for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = std::exp((128 - i) / 20.0);
    return table;
  }();
  return corrected == 0 ? expected : expected * factors[static_cast<std::size_t>(corrected + 128)];
}

}  // namespace starpath
