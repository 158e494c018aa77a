// Features: what the estimator knows of a task's input, and one measured sample of it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace starpath {

/// Input parameters of a task. Numeric ones are compared by distance, categorical ones by equality. A fixed size keeps
/// a query free of allocation; the caller drops features that do not fit, and documents which.
struct Features {
  static constexpr std::size_t kMaxNumeric = 16;
  static constexpr std::size_t kMaxCategorical = 4;

  std::array<double, kMaxNumeric> numeric{};  ///< unused places are 0
  std::array<std::int64_t, kMaxCategorical> categorical{};
  std::uint8_t numeric_count = 0;
  std::uint8_t categorical_count = 0;

  /// Appends; returns false, and drops the value, when there is no place left or `value` is not finite.
  bool add_numeric(double value) {
    if (numeric_count == kMaxNumeric || !std::isfinite(value)) return false;
    numeric[numeric_count++] = value;
    return true;
  }
  bool add_categorical(std::int64_t value) {
    if (categorical_count == kMaxCategorical) return false;
    categorical[categorical_count++] = value;
    return true;
  }

  bool operator==(const Features& other) const {
    return numeric_count == other.numeric_count && categorical_count == other.categorical_count &&
           std::equal(numeric.begin(), numeric.begin() + numeric_count, other.numeric.begin()) &&
           categorical == other.categorical;
  }
};

/// One finished task: its input, the device class it ran on and how long it took.
struct Sample {
  Features features;
  unsigned device_class = 0;
  double seconds = 0;   ///< finite, > 0
  double modelled = 0;  ///< what a performance model said of it beforehand, in seconds; 0: nothing
};

}  // namespace starpath
