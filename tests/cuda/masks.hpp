// Masks that the CUDA kernels are tested with.
#pragma once
#include <cstdint>
#include <random>

#include "support/images.hpp"

namespace starpath::support {

using Gray = Image<std::uint8_t>;
using Deep = Image<std::uint16_t>;
using Labels = Image<std::int32_t>;

/// Masks of every kind, fewer than for the CPU.
template <class Check>
void for_masks(Rng& rng, int width, int height, int padding, Check check) {
  check(Gray(width, height, padding, 0));
  check(Gray(width, height, padding, 255));
  check(rng() % 2 == 0 ? dots(width, height, padding) : at_borders(rng, width, height, padding));
  check(mask_noise(rng, width, height, padding, 0.4));
  check(mask_noise(rng, width, height, padding, std::uniform_real_distribution<double>(0, 1)(rng)));
  check(blobs(rng, width, height, padding));
  check(spiral(width, height, padding));
}

}  // namespace starpath::support
