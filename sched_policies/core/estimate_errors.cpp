// How wrong estimates turned out to be, and what to expect of the next ones.
#include "sched_policies/core/estimate_errors.hpp"

#include <algorithm>
#include <cmath>

namespace starpath {
namespace {

constexpr double kLowest = -14;  // of the logarithms told apart; what lies beyond counts as there
constexpr double kStep = 0.05;   // between them
constexpr int kSteps = 512;
constexpr double kLeast = kStep;        // smaller errors change nothing
constexpr double kWidest = 0.5;         // of a slack's logarithm: who waits for certainty idles
constexpr double kOwn = 8;              // a task's own estimate weighs as much as so many others
constexpr double kMost = 4096;          // values after which old ones count half
constexpr std::size_t kFewest = 8;      // runs, from which on an error is known
constexpr std::size_t kSeldom = 8;      // runs between two looks at the quartile
constexpr double kOfQuartile = 3.1387;  // sigma of a normal distribution over the lower quartile without signs

}  // namespace

EstimateErrors::Known& EstimateErrors::known(StreamId stream, ClassId id) {
  if (stream >= known_.size()) known_.resize(stream + 1);
  return known_[stream][id];
}

double EstimateErrors::sigma(StreamId stream, ClassId id) const {
  return stream < known_.size() ? known_[stream][id].error.sigma : 0;
}

double EstimateErrors::slack(StreamId stream, ClassId id) const {
  return stream < known_.size() ? known_[stream][id].error.slack : 1;
}

void EstimateErrors::measured(StreamId stream, ClassId id, double estimated, double seconds) {
  if (!(estimated > 0) || !(seconds > 0)) return;
  Error& own = known(stream, id).error;
  own.recent[own.runs++ % own.recent.size()] = static_cast<float>(std::abs(std::log(seconds / estimated)));
  if (own.runs < kFewest || own.runs % kSeldom != 0) return;
  auto sorted = own.recent;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(own.runs, sorted.size()));
  const auto quartile = sorted.begin() + (end - sorted.begin()) / 4;
  std::nth_element(sorted.begin(), quartile, end);
  own.sigma = kOfQuartile * *quartile;
  own.slack = std::exp(std::min(own.sigma, kWidest));
}

void EstimateErrors::Crowd::survey(double sigma) {
  surveyed_total_ = total_;
  surveyed_sigma_ = sigma;
  shifts_.resize(kSteps);
  std::vector<double> weights;
  for (int d = 0; d < kSteps && d * kStep <= 3 * sigma; ++d) {
    const double deviations = d * kStep / sigma;
    weights.push_back(std::exp(-0.5 * deviations * deviations));
  }
  const int reach = static_cast<int>(weights.size()) - 1;
  for (int step = 0; step < kSteps; ++step) {
    double sum = kOwn, moment = 0;
    for (int d = std::max(-reach, -step); d <= std::min(reach, kSteps - 1 - step); ++d) {
      const double weight =
          counts_[static_cast<std::size_t>(step + d)] * weights[static_cast<std::size_t>(std::abs(d))];
      sum += weight;
      moment += weight * d * kStep;
    }
    shifts_[static_cast<std::size_t>(step)] = static_cast<float>(moment / sum);
  }
}

double EstimateErrors::Crowd::settle(double value, double sigma) {
  counts_.resize(kSteps);
  const auto step = static_cast<std::size_t>(std::clamp((value - kLowest) / kStep, 0.0, kSteps - 1.0));
  ++counts_[step];
  if (++total_ > kMost) {
    for (float& count : counts_) count /= 2;
    total_ /= 2;
    surveyed_total_ /= 2;
  }
  if (sigma < kLeast) return value;
  const bool grown = total_ > 1.2 * surveyed_total_ + 4;
  if (grown || std::abs(sigma - surveyed_sigma_) > 0.1 * surveyed_sigma_) survey(sigma);
  return value + shifts_[step];
}

double EstimateErrors::expected(StreamId stream, ClassId id, double seconds) {
  Known& own = known(stream, id);
  const double logarithm = std::log(std::max(seconds, 1e-9));
  const double settled = own.estimates.settle(logarithm, own.error.sigma);
  return settled == logarithm ? seconds : std::exp(settled);
}

}  // namespace starpath
