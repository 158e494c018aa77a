// Local linear regression: weighted least squares among the nearest samples.
#include "estimator/linear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace starpath {
namespace {

constexpr std::size_t kNeighbours = 16;  // three for each unknown of a plane over four parameters, the most of our own
constexpr double kRidge = 0.01;          // of all weights: a slope that no sample tells is 0
constexpr std::size_t kMost = Features::kMaxNumeric + 1;  // the height at the task, then the slopes
using Vector = std::array<double, kMost>;

/// Least squares by the normal equations. All slopes are pulled towards 0.
class Plane {
 public:
  explicit Plane(std::size_t size) : size_(size) {}

  void add(const Vector& at, double height, double weight) {
    for (std::size_t i = 0; i < size_; ++i) {
      right_[i] += weight * at[i] * height;
      for (std::size_t j = 0; j <= i; ++j) left_[i][j] += weight * at[i] * at[j];
    }
  }

  /// Height and slopes, by Cholesky's method; the ridge makes the matrix positive definite.
  Vector solve() {
    for (std::size_t i = 1; i < size_; ++i) left_[i][i] += kRidge * left_[0][0];
    Vector solution = right_;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = left_[i][j];
        for (std::size_t k = 0; k < j; ++k) rest -= left_[i][k] * left_[j][k];
        left_[i][j] = i == j ? std::sqrt(rest) : rest / left_[j][j];
      }
      for (std::size_t k = 0; k < i; ++k) solution[i] -= left_[i][k] * solution[k];
      solution[i] /= left_[i][i];
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) solution[i] -= left_[k][i] * solution[k];
      solution[i] /= left_[i][i];
    }
    return solution;
  }

 private:
  std::size_t size_;
  std::array<Vector, kMost> left_{};  // the lower half
  Vector right_{};
};

double tricube(double u) { return std::pow(1 - u * u * u, 3); }

}  // namespace

std::optional<TimeEstimate> LinearLearner::estimate(unsigned device_class, const Features& features) const {
  const SampleSet* const samples = samples_.of(device_class);
  if (samples == nullptr) return std::nullopt;
  const SampleSet::Found found = samples->find(features, kNeighbours, samples_.scale());
  if (found.count == 0) return std::nullopt;
  if (found.count == 1) return TimeEstimate{.seconds = samples->entries()[found.rows[0]].seconds};
  const auto entry = [&](std::size_t i) -> const SampleSet::Entry& { return samples->entries()[found.rows[i]]; };

  double least = entry(0).seconds, most = least;
  std::size_t parameters = features.numeric_count;
  for (std::size_t i = 0; i < found.count; ++i) {
    least = std::min(least, entry(i).seconds);
    most = std::max(most, entry(i).seconds);
    parameters = std::max<std::size_t>(parameters, entry(i).features.numeric_count);
  }
  // Seconds are shares of the least, and places are shares of the farthest distance, around the task.
  const double reach = std::sqrt(static_cast<double>(found.distances[found.count - 1]));
  Plane plane(parameters + 1);
  std::array<Vector, kNeighbours> places{};
  std::array<double, kNeighbours> weights{};
  for (std::size_t i = 0; i < found.count; ++i) {
    const double distance = std::sqrt(static_cast<double>(found.distances[i]));
    weights[i] = reach > 0 ? tricube(0.999 * distance / reach) : 1;  // the farthest counts a little too
    places[i][0] = 1;
    for (std::size_t d = 0; d < parameters; ++d) {
      const double scale = samples_.scale()[d] * reach;
      if (scale > 0) places[i][d + 1] = (entry(i).features.numeric[d] - features.numeric[d]) / scale;
    }
    const double height = entry(i).seconds / least;
    plane.add(places[i], height, weights[i] / height);
  }
  const Vector solution = plane.solve();
  const double height = std::isfinite(solution[0]) ? std::clamp(solution[0], 0.5, 2 * most / least) : 1;

  TimeEstimate estimate{.seconds = height * least};
  double squares = 0, sum = 0;
  for (std::size_t i = 0; i < found.count; ++i) {
    double fitted = 0;
    for (std::size_t d = 0; d <= parameters; ++d) fitted += solution[d] * places[i][d];
    squares += weights[i] * std::pow(fitted * least / entry(i).seconds - 1, 2);
    sum += weights[i];
  }
  if (std::isfinite(squares)) estimate.error = std::sqrt(squares / sum);
  return estimate;
}

}  // namespace starpath
