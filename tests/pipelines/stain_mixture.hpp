// Directions of pixels in two stains.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "pipelines/survey/stains.hpp"

namespace starpath::test {

/// Pixels whose densities are mixtures of two stains, evenly from one to the other.
inline Directions mixture(const std::array<int, 3>& a, const std::array<int, 3>& b, std::int64_t each) {
  Directions directions{};
  for (int i = 0; i <= 1000; ++i) {
    std::array<double, 3> d{};
    for (std::size_t c = 0; c < 3; ++c) d[c] = i / 1000.0 * a[c] + (1 - i / 1000.0) * b[c];
    const double sum = d[0] + d[1] + d[2];
    directions[static_cast<std::size_t>(kDirectionSteps * d[0] / sum)]
              [static_cast<std::size_t>(kDirectionSteps * d[1] / sum)] += each;
  }
  return directions;
}

}  // namespace starpath::test
