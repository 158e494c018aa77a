// How wrong estimates turned out to be, and what to expect of the next ones.
#include "sched_policies/apex/estimate_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace starpath {
namespace {

constexpr double kLeast = 0.05;         // smaller errors change nothing
constexpr std::size_t kFewest = 8;      // runs from which an error is computed, and between two computations
constexpr double kOfQuartile = 3.1387;  // of a normal distribution: sigma over the lower quartile of |x|

}  // namespace

EstimateErrors::Known& EstimateErrors::known(CodeletId codelet, ClassId id) {
  if (codelet >= known_.size()) known_.resize(codelet + 1);
  return known_[codelet][id];
}

double EstimateErrors::sigma(CodeletId codelet, ClassId id) const {
  return codelet < known_.size() ? known_[codelet][id].sigma : 0;
}

void EstimateErrors::measured(CodeletId codelet, ClassId id, double estimated, double seconds) {
  if (!(estimated > 0) || !(seconds > 0)) return;
  Known& here = known(codelet, id);
  here.errors[here.runs++ % here.errors.size()] = static_cast<float>(std::abs(std::log(seconds / estimated)));
  if (here.runs % kFewest != 0) return;
  auto sorted = here.errors;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(here.runs, sorted.size()));
  const auto quartile = sorted.begin() + (end - sorted.begin()) / 4;
  std::nth_element(sorted.begin(), quartile, end);
  here.sigma = kOfQuartile * *quartile;
}

double EstimateErrors::expected(CodeletId codelet, ClassId id, double seconds) {
  if (!(seconds > 0)) return seconds;
  Known& here = known(codelet, id);
  if (seconds != here.seconds) {
    here.seconds = seconds;
    here.logarithm = std::log(seconds);
  }
  here.estimates[here.estimated++ % here.estimates.size()] = here.logarithm;
  if (here.sigma < kLeast) return seconds;
  const double reach = std::numbers::sqrt3 * here.sigma;
  double away = 0, near = 0;
  for (std::size_t i = 0; i < std::min(here.estimated, here.estimates.size()); ++i) {
    const double distance = here.estimates[i] - here.logarithm;
    if (std::abs(distance) > reach) continue;
    away += distance;
    ++near;
  }
  return seconds * std::exp(away / near);
}

}  // namespace starpath
