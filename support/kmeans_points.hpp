// Points and centres for tests of k-means.
#pragma once
#include "codelets/kernels/kmeans_assign.hpp"
#include "support/images.hpp"

namespace starpath::support {

/// Points with numbers up to `limit`: with small ones many are equally far from two centres.
inline Image<std::int16_t> random_points(Rng& rng, int numbers, int points, int padding, int limit) {
  Image<std::int16_t> image(numbers, points, padding);
  for (int p = 0; p < points; ++p)
    for (int i = 0; i < numbers; ++i)
      image.at(i, p) =
          static_cast<std::int16_t>(static_cast<int>(rng() % static_cast<unsigned>(2 * limit + 1)) - limit);
  return image;
}

inline int random_limit(Rng& rng) { return rng() % 2 != 0 ? kPointLimit : 2; }

}  // namespace starpath::support
