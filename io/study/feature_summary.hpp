// A feature of many nuclei in a few numbers.
#pragma once
#include <cstdint>
#include <string>

namespace starpath::io {

/// One feature of some nuclei, of those that have a number for it. Quartiles by linear interpolation.
struct FeatureSummary {
  std::string feature;
  std::int64_t nuclei = 0;
  double mean = 0, q1 = 0, median = 0, q3 = 0;
};

}  // namespace starpath::io
