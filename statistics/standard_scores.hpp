// Numbers of different units made comparable. Pure.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace starpath {

struct StandardScores {
  std::vector<double> scores;  // deviations from the mean; 0 where there is no number
  std::size_t missing = 0;     // that are no finite number
  double mean = 0, deviation = 0;

  /// Whether the numbers differ by more than rounding makes of equal ones.
  bool varies() const { return deviation > 0; }
};

/// z-scores by mean and deviation (divided by n) of the finite numbers. All are 0 when these do not differ.
StandardScores standard_scores(std::span<const double> numbers);

}  // namespace starpath
