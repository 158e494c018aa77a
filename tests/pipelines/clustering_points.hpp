// Points that lie around centres, for tests of k-means.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/pure/random.hpp"
#include "pipelines/clustering/points.hpp"

namespace starpath::test {

/// Points around so many centres that lie far apart, one after the other.
inline Points around_centres(int centres, std::size_t count, int numbers, std::uint64_t seed = 3) {
  SplitMix64 random(seed);
  Points points{numbers, {}};
  for (std::size_t p = 0; p < count; ++p)
    for (int i = 0; i < numbers; ++i) {
      const bool own = i % centres == static_cast<int>(p % static_cast<std::size_t>(centres));
      points.values.push_back(static_cast<std::int16_t>((own ? 1500 : 0) + static_cast<int>(random.next() % 400)));
    }
  return points;
}

}  // namespace starpath::test
