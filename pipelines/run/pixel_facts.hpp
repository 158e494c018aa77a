// Facts of a tile that the task that reads it counts in its pixels.
#pragma once
#include "codelets/kernels/pixel_counts.hpp"
#include "codelets/starpu/tile_facts.hpp"

namespace starpath {

inline void count_pixel_facts(RgbView pixels, TileFacts& facts) {
  const PixelCounts counts = cpu::count_pixels(pixels);
  facts.set(Fact::tissue_pixels, static_cast<double>(counts.tissue));
  facts.set(Fact::dark_pixels, static_cast<double>(counts.dark));
  facts.set(Fact::dark_runs, static_cast<double>(counts.runs));
}

}  // namespace starpath
