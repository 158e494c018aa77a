// Two passes: mean, then deviations from it.
#include "statistics/standard_scores.hpp"

#include <cmath>

namespace starpath {
namespace {

/// Relative difference that rounding alone makes.
constexpr double kRounding = 1e-12;

}  // namespace

StandardScores standard_scores(std::span<const double> numbers) {
  StandardScores found;
  double sum = 0, squares = 0;
  for (const double number : numbers) {
    if (std::isfinite(number))
      sum += number;
    else
      ++found.missing;
  }
  found.scores.resize(numbers.size());
  const auto count = static_cast<double>(numbers.size() - found.missing);
  if (count == 0) return found;
  found.mean = sum / count;
  for (const double number : numbers)
    if (std::isfinite(number)) squares += (number - found.mean) * (number - found.mean);
  const double deviation = std::sqrt(squares / count);
  if (!(deviation > kRounding * std::abs(found.mean))) return found;
  found.deviation = deviation;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::isfinite(numbers[i])) found.scores[i] = (numbers[i] - found.mean) / deviation;
  return found;
}

}  // namespace starpath
