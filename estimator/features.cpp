// Features: filling them in.
#include "estimator/features.hpp"

#include <cmath>

namespace starpath {

bool Features::add_numeric(double value) {
  if (numeric_count == kMaxNumeric || !std::isfinite(value)) return false;
  numeric[numeric_count++] = value;
  return true;
}

bool Features::add_categorical(std::int64_t value) {
  if (categorical_count == kMaxCategorical) return false;
  categorical[categorical_count++] = value;
  return true;
}

}  // namespace starpath
