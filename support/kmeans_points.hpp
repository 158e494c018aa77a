// Points, centres and labels for tests of k-means and of votes.
#pragma once
#include "codelets/kernels/nearest_classes.hpp"
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

/// Of few classes: some have equal weights.
inline std::vector<std::uint8_t> random_labels(Rng& rng, int samples) {
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(samples));
  for (std::uint8_t& label : labels)
    label = static_cast<std::uint8_t>(rng() % 2 != 0 ? rng() % kMostClasses : rng() % 3);
  return labels;
}

inline int random_limit(Rng& rng) { return rng() % 2 != 0 ? kPointLimit : 2; }

}  // namespace starpath::support
