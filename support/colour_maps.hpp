// Maps of colours for tests.
#pragma once
#include "codelets/kernels/normalise.hpp"
#include "support/images.hpp"

namespace starpath::support {

/// Any map; one of four leads out of the range of densities on both sides.
inline ColourMap random_colours(Rng& rng) {
  constexpr std::int32_t most = (1 << 27) - 1;
  ColourMap map{};
  const int shift = rng() % 4 == 0 ? 0 : 4;
  for (auto& out : map)
    for (auto& in : out)
      for (std::int32_t& density : in) density = (static_cast<std::int32_t>(rng() % (2U * most)) - most) >> shift;
  return map;
}

}  // namespace starpath::support
