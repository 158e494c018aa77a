// The interval that a mean over images lies in.
#pragma once
#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace starpath::quality {

struct Interval {
  double low, high;
};

/// Of the mean of `values` (at least one), the interval that 95 % of the means of as many values lie in that are drawn
/// from `values` with replacement: the percentile bootstrap, 2,000 draws (Efron and Tibshirani, "An Introduction to the
/// Bootstrap", 1993, chapter 13). The same values in the same order give the same interval. Thread-safe.
inline Interval interval_of_mean(std::span<const double> values) {
  constexpr std::size_t kDraws = 2000;
  std::mt19937_64 random(1);
  std::vector<double> means(kDraws);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[random() % values.size()];
    mean = sum / static_cast<double>(values.size());
  }
  std::ranges::sort(means);
  return {means[kDraws / 40], means[kDraws - 1 - kDraws / 40]};
}

}  // namespace starpath::quality
