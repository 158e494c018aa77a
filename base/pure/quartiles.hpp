// Quartiles and the median of numbers. Pure.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace starpath {

/// Mean and quartiles of `count` numbers. They are NaN where there is no number.
struct Quartiles {
  std::int64_t count = 0;
  double mean = 0, q1 = 0, median = 0, q3 = 0;
};

/// The number at place p (n - 1) of the sorted numbers, p from 0 to 1; between two places, linearly between their
/// numbers. Reorders the numbers. There is at least one number, and none is NaN.
inline double quantile(std::vector<double>& numbers, double p) {
  const double place = p * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(place);
  std::nth_element(numbers.begin(), numbers.begin() + below, numbers.end());
  const double low = numbers[static_cast<std::size_t>(below)];
  if (place == static_cast<double>(below)) return low;
  const double high = *std::min_element(numbers.begin() + below + 1, numbers.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

/// The number in the middle of the sorted numbers; of an even count the mean of the two in the middle. Reorders the
/// numbers. There is at least one number, and none is NaN.
template <class Number>
double median(std::span<Number> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  const auto high = static_cast<double>(*middle);
  if (numbers.size() % 2 != 0) return high;
  return (high + static_cast<double>(*std::max_element(numbers.begin(), middle))) / 2;
}

/// Reorders the numbers. None of them is NaN.
inline Quartiles quartiles(std::vector<double>& numbers) {
  if (numbers.empty()) return {0, std::nan(""), std::nan(""), std::nan(""), std::nan("")};
  double sum = 0;
  for (const double number : numbers) sum += number;
  const auto count = static_cast<std::int64_t>(numbers.size());
  return {count, sum / static_cast<double>(count), quantile(numbers, 0.25), quantile(numbers, 0.5),
          quantile(numbers, 0.75)};
}

}  // namespace starpath
